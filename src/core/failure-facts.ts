import type { GatewayError } from './errors.ts';

/** The key of `_meta` under which clients find the meaning of a gateway failure for programs. */
const GATEWAY_META = 'viaduct/gateway';

/** Returns the meaning of a failure for programs. */
export function failureFacts(error: GatewayError): Record<string, unknown> {
  const { upstream, effect, retryAfterMs } = error.detail;
  return {
    ...(upstream !== undefined && { upstream }),
    ...(error.facts.reason !== undefined && { reason: error.facts.reason }),
    retryable: error.facts.retryable,
    ...(effect !== undefined && { effect }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** Returns a failure as a result of `tools/call`: models read results, and clients hide errors. */
export function failedCall(error: GatewayError): Record<string, unknown> {
  return {
    content: [{ type: 'text', text: textFor(error) }],
    isError: true,
    _meta: { [GATEWAY_META]: failureFacts(error) },
  };
}

function textFor(error: GatewayError): string {
  const { effect, retryAfterMs } = error.detail;
  const sentences = [error.message];
  if (effect === 'unknown') sentences.push('It is unknown whether the call took effect.');
  if (retryAfterMs !== undefined) sentences.push(`Try again in ${Math.max(1, Math.round(retryAfterMs / 1000))} s.`);
  return sentences.map((sentence) => (/[.!?\n]$/.test(sentence) ? sentence : `${sentence}.`)).join(' ');
}
