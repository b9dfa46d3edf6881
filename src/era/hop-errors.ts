import { asObject } from '../core/json/as-object.ts';
import { lastMember, membersOf, rawText, readableAt, stringAt } from '../wire/lens.ts';
import type { ReplySource } from '../wire/reply.ts';
import { MODERN_ERRORS } from './modern/modern.ts';

/**
 * An error of a modern server that speaks of the request as it came to that server (2026-07-28, "Error Codes"): of its
 * headers or its version, which are the gateway's; or of capabilities that the client behind it lacks.
 */
export type HopError =
  | { readonly kind: 'own-fault'; readonly message: string }
  /** The headers do not fit the body: what the tool declares may have changed since its list was read. */
  | { readonly kind: 'header-mismatch'; readonly message: string }
  | { readonly kind: 'missing-capability'; readonly names: readonly string[] };

export function hopErrorIn({ frame, body }: ReplySource): HopError | undefined {
  const { text } = frame;
  const members = membersOf(text, body);
  const code = Number(rawText(text, lastMember(members, 'code') ?? { start: 0, end: 0 }));
  const message = stringAt(text, lastMember(members, 'message')) ?? '';
  switch (code) {
    case MODERN_ERRORS.headerMismatch:
      return { kind: 'header-mismatch', message };
    case MODERN_ERRORS.unsupportedVersion:
      return { kind: 'own-fault', message };
    case MODERN_ERRORS.missingCapability: {
      const data = lastMember(members, 'data');
      return { kind: 'missing-capability', names: data === undefined ? [] : namesIn(readableAt(text, data)) };
    }
    default:
      return undefined;
  }
}

/** `{requiredCapabilities: {elicitation: {url: {}}, roots: {}}}` → `elicitation.url`, `roots`. */
function namesIn(data: unknown): string[] {
  const { requiredCapabilities } = asObject(data);
  return Object.entries(asObject(requiredCapabilities)).flatMap(([name, value]) => {
    const parts = Object.keys(asObject(value));
    return parts.length === 0 ? [name] : parts.map((part) => `${name}.${part}`);
  });
}
