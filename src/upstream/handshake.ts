import { CAPABILITIES_TOWARDS_UPSTREAMS, isLegacyRevision, type LegacyRevision, NEWEST_LEGACY } from '../era/legacy.ts';
import { valueAt } from '../wire/lens.ts';
import type { ResponseMessage } from '../wire/message.ts';
import type { Link } from './link.ts';

/** What an upstream said of itself. */
export interface ServerFacts {
  readonly protocolVersion: LegacyRevision;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

/** The upstream answered, but not as a server of this era does: trying again would give the same. */
export class HandshakeError extends Error {
  constructor(reason: string) {
    super(`handshake: ${reason}`);
    this.name = 'HandshakeError';
  }
}

export interface Implementation {
  readonly name: string;
  readonly version: string;
}

/**
 * Opens the session: `initialize`, its answer, `notifications/initialized`, and nothing in between (Xcode's bridge drops
 * what comes too early).
 * @throws HandshakeError for an answer that is none; GatewayError when there is no answer.
 */
export async function handshake(link: Link, clientInfo: Implementation, timeoutMs: number): Promise<ServerFacts> {
  const response = await link.request(
    'initialize',
    { protocolVersion: NEWEST_LEGACY, capabilities: CAPABILITIES_TOWARDS_UPSTREAMS, clientInfo },
    timeoutMs,
  );
  const facts = readFacts(response);
  link.notify('notifications/initialized');
  return facts;
}

function readFacts(response: ResponseMessage): ServerFacts {
  const { frame, result, error } = response;
  if (result === undefined) {
    const said =
      error === undefined ? 'neither a result nor an error' : frame.text.toString('utf8', error.start, error.end);
    throw new HandshakeError(`initialize was answered with ${said.slice(0, 500)}`);
  }
  const facts = asObject(valueAt(frame.text, result));
  if (!isLegacyRevision(facts.protocolVersion)) {
    throw new HandshakeError(`it speaks protocol version ${JSON.stringify(facts.protocolVersion)}, which we do not`);
  }
  return {
    protocolVersion: facts.protocolVersion,
    capabilities: asObject(facts.capabilities),
    serverInfo: asObject(facts.serverInfo),
    instructions: typeof facts.instructions === 'string' ? facts.instructions : undefined,
  };
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
