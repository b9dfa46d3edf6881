import type { ClientSampling, GenerateOptions, Generation, ModelRequest } from '../core/settings/model-backends.ts';
import { CLIENT_BACKEND } from '../core/settings/models-options.ts';
import { unlessAborted } from '../core/timing/unless-aborted.ts';
import { modelFailed } from './failures.ts';

const CANNOT =
  'the backend "client" is the model of the calling client, and this client does not support sampling: name another backend';

/**
 * Has the calling client's own model answer.
 * @throws GatewayError `MODEL_FAILED` where the client cannot sample, and what its answer fails with; the reason of `signal`
 */
export async function generateByClient(
  request: ModelRequest,
  { client, signal, onText }: GenerateOptions,
): Promise<Generation> {
  signal.throwIfAborted();
  if (client?.canSample !== true) throw modelFailed(CANNOT);
  const { text, model, stopReason } = await unlessAborted(client.sample(request), signal);
  onText?.(text);
  return { text, backend: CLIENT_BACKEND, model, end: stopReason === 'maxTokens' ? 'length' : 'whole' };
}

/** Says why the calling client's model cannot be used; `undefined` if it can. */
export function problemOfClient(client: ClientSampling | undefined): string | undefined {
  return client?.canSample === true ? undefined : 'the calling client does not support sampling';
}
