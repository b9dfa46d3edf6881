import { GatewayError, toGatewayError } from '../../core/errors.ts';
import { asObject } from '../../core/json/as-object.ts';
import { valueAt } from '../../wire/lens.ts';
import type { RequestMessage } from '../../wire/message.ts';
import { errorReply, type Reply, resultReply } from '../../wire/reply.ts';
import { failureReply } from '../failure.ts';
import type { ExtraMethod } from '../session-host.ts';
import { admittedAnswer } from './admitted-answer.ts';
import type { LocalClient } from './local-client.ts';
import { LOCAL_METHODS, type LocalMethod } from './local-methods.ts';

export interface LocalAsker {
  readonly client: LocalClient;
  /** Methods that only this client has. */
  readonly extraMethods?: ReadonlyMap<string, ExtraMethod> | undefined;
  /** The id under which calls are counted. */
  readonly payer: string;
}

/**
 * Answers a request of a legacy client that no provider answers. A promise that is returned never rejects.
 * @throws JsonTextError when the params are not valid JSON
 */
export function localAnswer(message: RequestMessage, asker: LocalAsker): Reply | Promise<Reply> {
  const { method, frame } = message;
  const { client, payer } = asker;
  const local = LOCAL_METHODS.get(method) ?? extraMethod(method, asker);
  if (local === undefined) return errorReply({ code: -32601, message: `Method not found: ${method}` });
  const params = message.params === undefined ? {} : valueAt(frame.text, message.params);
  const { quota } = client.host;
  const outcome = admittedAnswer(method, { quota, payer }, () => local(client, asObject(params)));
  return outcome instanceof Promise ? outcome.catch((error: unknown) => failed(client, method, error)) : outcome;
}

function failed({ host }: LocalClient, method: string, error: unknown): Reply {
  if (!(error instanceof GatewayError)) host.log.error({ error, method }, 'a fault of the gateway while it answered');
  return failureReply(method, toGatewayError(error));
}

function extraMethod(method: string, { extraMethods }: LocalAsker): LocalMethod | undefined {
  const extra = extraMethods?.get(method);
  if (extra === undefined) return undefined;
  return async (client, params) => resultReply(await extra(params, client));
}
