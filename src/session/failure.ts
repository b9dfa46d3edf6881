import { type ErrorCode, GatewayError } from '../core/errors.ts';
import { failedCall, failureFacts } from '../core/failure-facts.ts';
import { errorReply, type Reply, resultReply } from '../wire/reply.ts';
import type { Denial } from './local/call-quota.ts';

/**
 * Returns a failure as the client gets it. For `tools/call` it is a result with `isError`, because models read results and
 * clients hide errors (2025-11-25, "Error Handling"); for any other method, and for names that do not exist, it is a
 * JSON-RPC error with the same facts in `data.gateway`.
 */
export function failureReply(method: string, error: GatewayError): Reply {
  if (method === 'tools/call' && isForTheModel(error.code)) return resultReply(failedCall(error));
  const facts = failureFacts(error);
  const data = Object.keys(facts).length > 1 ? { data: { gateway: facts } } : {};
  return errorReply({ code: error.facts.jsonRpc, message: error.message, ...data });
}

function isForTheModel(code: ErrorCode): boolean {
  return code === 'INVALID_ARGUMENTS' || code === 'INTERNAL' || new GatewayError(code, '').facts.reason !== undefined;
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
