import { asObject } from '../core/json/as-object.ts';
import { lastMember, stringAt } from '../wire/lens.ts';
import { paramsOf, type RequestMessage } from '../wire/message.ts';
import { CAPABILITY_OF_ASK } from './legacy/legacy.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/** The client capabilities that let a server send requests: a server that may serve any client is told about all of them. */
export const ALL_ASK_CAPABILITIES = {
  roots: { listChanged: true },
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
} as const;

/** Returns the capabilities of a client that let a server send requests. */
export function askCapabilities(declared: Capabilities): Capabilities {
  const names = Object.keys(ALL_ASK_CAPABILITIES).filter((name) => declared[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, declared[name]]));
}

/**
 * Returns the capability that a client lacks for this request, in the specification's words, such as `elicitation.url`;
 * `undefined` if it lacks none. Elicitation without a mode is by form.
 */
export function missingCapability(message: RequestMessage, capabilities: Capabilities): string | undefined {
  const name = CAPABILITY_OF_ASK.get(message.method);
  if (name === undefined) return message.method;
  const declared = capabilities[name];
  if (declared === undefined) return name;
  if (name === 'elicitation') return missingMode(message, asObject(declared));
  return name === 'sampling' ? missingPart(message, asObject(declared)) : undefined;
}

/**
 * Returns a missing capability as the object in which a client would declare it (2026-07-28,
 * `MissingRequiredClientCapabilityError`).
 */
export function requiredCapabilities(missing: string): Record<string, unknown> {
  return missing.split('.').reduceRight<Record<string, unknown>>((inner, name) => ({ [name]: inner }), {});
}

/** Clients that name no mode know forms: there was nothing else before 2025-11-25. */
function missingMode(message: RequestMessage, modes: Capabilities): string | undefined {
  const mode = stringAt(message.frame.text, lastMember(paramsOf(message), 'mode')) ?? 'form';
  const namesNone = modes.form === undefined && modes.url === undefined;
  const isSupported = mode === 'url' ? modes.url !== undefined : modes.form !== undefined || namesNone;
  return isSupported ? undefined : `elicitation.${mode}`;
}

/** `includeContext` values that need `sampling.context` ("none" does not). */
const CONTEXTS: ReadonlySet<string | undefined> = new Set(['thisServer', 'allServers']);

/**
 * Returns the part of the sampling capability that the request needs and the client lacks (2025-11-25,
 * `CreateMessageRequestParams`).
 */
function missingPart(message: RequestMessage, parts: Capabilities): string | undefined {
  const params = paramsOf(message);
  const usesTools = lastMember(params, 'tools') !== undefined || lastMember(params, 'toolChoice') !== undefined;
  if (usesTools && parts.tools === undefined) return 'sampling.tools';
  const context = stringAt(message.frame.text, lastMember(params, 'includeContext'));
  return CONTEXTS.has(context) && parts.context === undefined ? 'sampling.context' : undefined;
}
