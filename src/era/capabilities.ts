import { asObject } from '../core/as-object.ts';
import { lastMember, stringAt } from '../wire/lens.ts';
import { paramsOf, type RequestMessage } from '../wire/message.ts';
import { CAPABILITY_OF_ASK } from './legacy.ts';

type Capabilities = Readonly<Record<string, unknown>>;

/**
 * What a client lacks to be asked this, in the words of the specification, such as `elicitation.url`; `undefined` where
 * it lacks nothing. Elicitation without a mode is by form.
 */
export function missingCapability(message: RequestMessage, capabilities: Capabilities): string | undefined {
  const name = CAPABILITY_OF_ASK.get(message.method);
  if (name === undefined) return message.method;
  const declared = capabilities[name];
  if (declared === undefined) return name;
  return name === 'elicitation' ? missingMode(message, asObject(declared)) : undefined;
}

/** A missing capability as the object in which a client would declare it (2026-07-28, `MissingRequiredClientCapabilityError`). */
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
