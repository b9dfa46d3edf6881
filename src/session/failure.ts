import { type ErrorCode, GatewayError } from '../core/errors.ts';
import { errorReply, type Reply, resultReply } from '../wire/reply.ts';
import type { Denial } from './local/call-quota.ts';

/** The key of `_meta` under which clients find the meaning of a gateway failure for programs. */
const GATEWAY_META = 'viaduct/gateway';

/**
 * Returns a failure as the client gets it. For `tools/call` it is a result with `isError`, because models read results and
 * clients hide errors (2025-11-25, "Error Handling"); for any other method, and for names that do not exist, it is a
 * JSON-RPC error with the same facts in `data.gateway`.
 */
export function failureReply(method: string, error: GatewayError): Reply {
  const facts = factsOf(error);
  if (method === 'tools/call' && isForTheModel(error.code)) {
    return resultReply({
      content: [{ type: 'text', text: textFor(error) }],
      isError: true,
      _meta: { [GATEWAY_META]: facts },
    });
  }
  const data = Object.keys(facts).length > 1 ? { data: { gateway: facts } } : {};
  return errorReply({ code: error.facts.jsonRpc, message: error.message, ...data });
}

function isForTheModel(code: ErrorCode): boolean {
  return code === 'INVALID_ARGUMENTS' || code === 'INTERNAL' || new GatewayError(code, '').facts.reason !== undefined;
}

function factsOf(error: GatewayError): Record<string, unknown> {
  const { upstream, effect, retryAfterMs } = error.detail;
  return {
    ...(upstream !== undefined && { upstream }),
    ...(error.facts.reason !== undefined && { reason: error.facts.reason }),
    retryable: error.facts.retryable,
    ...(effect !== undefined && { effect }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

function textFor(error: GatewayError): string {
  const { effect, retryAfterMs } = error.detail;
  const sentences = [error.message];
  if (effect === 'unknown') sentences.push('It is unknown whether the call took effect.');
  if (retryAfterMs !== undefined) sentences.push(`Try again in ${Math.max(1, Math.round(retryAfterMs / 1000))} s.`);
  return sentences.map((sentence) => (/[.!?\n]$/.test(sentence) ? sentence : `${sentence}.`)).join(' ');
}

const RETRY_MS = 1_000;

/** Returns the error for a client whose call may not begin. */
export function denialError(denial: Denial): GatewayError {
  const detail = { effect: 'none', retryAfterMs: RETRY_MS } as const;
  switch (denial) {
    case 'stopping':
      return new GatewayError('CALL_CANCELLED', 'The gateway is stopping and takes no more calls', detail);
    case 'client-full':
      return new GatewayError('OVERLOADED', 'Too many calls of this client are open (limits.callsPerClient)', detail);
    case 'gateway-full':
      return new GatewayError('OVERLOADED', 'Too many calls are open in the gateway (limits.calls)', detail);
  }
}
