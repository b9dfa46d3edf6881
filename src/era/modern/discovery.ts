import { asObject } from '../../core/json/as-object.ts';
import { cutText } from '../../core/text/clean-text.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { jsonBytes } from '../../wire/bytes.ts';
import { readableAt } from '../../wire/lens.ts';
import type { ResponseMessage } from '../../wire/message.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import { ALL_ASK_CAPABILITIES } from '../capabilities.ts';
import type { PassedCapabilities } from '../extensions.ts';
import { TASKS_EXTENSION } from '../tasks.ts';
import { envelopeMembers } from './envelope.ts';
import { META, MODERN_ERRORS, MODERN_REVISION } from './modern.ts';

/** The facts that a modern server reports about itself (2026-07-28, "Discovery"). */
export interface Discovery {
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  readonly instructions: string | undefined;
}

/**
 * The meaning of a response to `server/discover`: a modern server; a modern server that wants to be asked again with
 * the revision that it lists; or neither, which is what a legacy server responds (versioning, "Backward
 * Compatibility").
 */
export type DiscoveryAnswer =
  | { readonly kind: 'modern'; readonly discovery: Discovery }
  | { readonly kind: 'ask-again'; readonly said: string }
  | { readonly kind: 'other'; readonly said: string };

const SHOWN = 500;

export function readDiscovery({ frame, result, error }: ResponseMessage): DiscoveryAnswer {
  const { text } = frame;
  if (result !== undefined) {
    const value = objectAt(text, result);
    if (listsOurs(value.supportedVersions)) return { kind: 'modern', discovery: discoveryIn(value) };
    const versions = JSON.stringify(value.supportedVersions);
    return {
      kind: 'other',
      said: versions === undefined ? 'no list of versions' : cutText(`the versions ${versions}`, SHOWN),
    };
  }
  if (error === undefined) return { kind: 'other', said: 'neither a result nor an error' };
  const said = cutText(text.toString('utf8', error.start, error.end), SHOWN);
  const { code, data } = objectAt(text, error);
  const isOurs = code === MODERN_ERRORS.unsupportedVersion && listsOurs(asObject(data).supported);
  return { kind: isOurs ? 'ask-again' : 'other', said };
}

/** The capabilities that the gateway can pass on to the clients behind it; its own requests declare them. */
const OWN_CAPABILITIES = { ...ALL_ASK_CAPABILITIES, roots: {} } as const;

/** Returns the members of `_meta` in the gateway's own requests, as JSON without braces; `passed` is what its clients declare. */
export function ownEnvelope(clientInfo: object, passed: PassedCapabilities = {}): ByteString {
  const extensions = { ...passed.extensions, ...TASKS_EXTENSION.extensions };
  return envelopeMembers({
    capabilities: jsonBytes({ ...OWN_CAPABILITIES, ...passed, extensions }),
    clientInfo: jsonBytes(clientInfo),
    logLevel: undefined,
  });
}

/** Returns the object in a span; an empty one if there is none, or no JSON. */
function objectAt(text: Buffer, span: Span): Readonly<Record<string, unknown>> {
  return asObject(readableAt(text, span));
}

function listsOurs(versions: unknown): boolean {
  return Array.isArray(versions) && versions.includes(MODERN_REVISION);
}

function discoveryIn(value: Readonly<Record<string, unknown>>): Discovery {
  return {
    capabilities: asObject(value.capabilities),
    // Servers of drafts said who they are beside the rest.
    serverInfo: asObject(asObject(value._meta)[META.serverInfo] ?? value.serverInfo),
    instructions: typeof value.instructions === 'string' ? value.instructions : undefined,
  };
}
