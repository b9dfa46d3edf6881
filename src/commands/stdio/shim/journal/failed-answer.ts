import { GatewayError } from '../../../../core/errors.ts';
import { failedCall, failureFacts } from '../../../../core/failure-facts.ts';
import type { ClientRequest } from './client-requests.ts';

/** The time after which another gateway serves, in most cases. */
const RETRY_MS = 1_000;

/** Returns the answer to a request that a gateway had when it ended. */
export function lostAnswer(request: ClientRequest, isModern: boolean): string {
  const text = 'viaduct: the gateway ended before it answered';
  return answerTo(
    request,
    isModern,
    new GatewayError('UPSTREAM_EXITED', text, { effect: 'unknown', retryAfterMs: RETRY_MS }),
  );
}

/** Returns the answer to a request that was never sent, because no gateway can be reached any more. */
export function unsentAnswer(request: ClientRequest, isModern: boolean): string {
  const text = 'viaduct: the gateway ended, and no other one can be reached. Start the client again';
  return answerTo(request, isModern, new GatewayError('CALL_CANCELLED', text, { effect: 'none' }));
}

function answerTo({ id, method }: ClientRequest, isModern: boolean, error: GatewayError): string {
  const result = { ...(isModern && { resultType: 'complete' }), ...failedCall(error) };
  const failure = { code: error.facts.jsonRpc, message: error.message, data: { gateway: failureFacts(error) } };
  const body = method === 'tools/call' ? `"result":${JSON.stringify(result)}` : `"error":${JSON.stringify(failure)}`;
  return `{"jsonrpc":"2.0","id":${id},${body}}\n`;
}
