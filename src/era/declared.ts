import { asObject } from '../core/json/as-object.ts';
import { hasSkills, listsDirectories } from './extensions.ts';
import { isLegacyRevision } from './legacy/legacy.ts';

/** The part of a server's description that tells which requests it supports. */
export interface DeclaringServer {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
}

type Test = (server: DeclaringServer) => boolean;

const declares =
  (name: string): Test =>
  ({ capabilities }) =>
    capabilities[name] !== undefined;

const subscribes: Test = ({ capabilities }) => asObject(capabilities.resources).subscribe === true;

/** Returns true if a server has tools: some servers declare nothing and have tools all the same. */
const hasTools: Test = (server) => declares('tools')(server) || Object.keys(server.capabilities).length === 0;

/** The capability came with 2025-03-26; servers had completions before. */
const completes: Test = (server) =>
  declares('completions')(server) ||
  (isLegacyRevision(server.protocolVersion) && server.protocolVersion < '2025-03-26');

/**
 * The capabilities that a server must have declared to be sent a request (2025-11-25 and 2026-07-28, "Capability
 * Negotiation"; SEP-2640).
 */
const NEEDED: ReadonlyMap<string, readonly [what: string, isDeclared: Test]> = new Map<string, readonly [string, Test]>(
  [
    ['tools/call', ['tools', hasTools]],
    ['prompts/get', ['prompts', declares('prompts')]],
    ['resources/read', ['resources', declares('resources')]],
    ['resources/subscribe', ['resources.subscribe', subscribes]],
    ['resources/unsubscribe', ['resources.subscribe', subscribes]],
    ['completion/complete', ['completions', completes]],
    ['skills/list', ['skills', ({ capabilities }) => hasSkills(capabilities)]],
    ['skills/get', ['skills', ({ capabilities }) => hasSkills(capabilities)]],
    ['resources/directory/read', ['directories', ({ capabilities }) => listsDirectories(capabilities)]],
  ],
);

/** Returns the capability that a server lacks for a request; `undefined` if the request may be sent. */
export function undeclared(method: string, server: DeclaringServer): string | undefined {
  const [what, isDeclared] = NEEDED.get(method) ?? [];
  return isDeclared === undefined || isDeclared(server) ? undefined : what;
}
