import { toGatewayError } from '../../core/errors.ts';
import type { CallTarget, ProviderCall, RunningCall } from '../../core/providers/provider.ts';

/**
 * Makes a call as soon as it is known where to. The call fails where that cannot be found out.
 * @param choose says where to; its signal is aborted when the client does not want the call any more
 */
export function callWhenChosen(
  call: ProviderCall,
  choose: (signal: AbortSignal) => Promise<Pick<CallTarget, 'call'>>,
): RunningCall {
  const choosing = new AbortController();
  const { signal } = choosing;
  let running: RunningCall | undefined;
  choose(signal)
    .then((target) => {
      if (!signal.aborted) running = target.call(call);
    })
    .catch((error: unknown) => {
      if (!signal.aborted) call.caller.onFailure(toGatewayError(error));
    });
  return {
    cancel(reason) {
      choosing.abort();
      running?.cancel(reason);
    },
  };
}
