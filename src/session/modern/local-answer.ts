import { GatewayError, toGatewayError } from '../../core/errors.ts';
import { valueAt } from '../../wire/lens.ts';
import type { RequestMessage } from '../../wire/message.ts';
import { errorReply, type Reply } from '../../wire/reply.ts';
import type { Exchange } from '../exchange.ts';
import { failureReply } from '../failure.ts';
import { admittedAnswer } from '../local/admitted-answer.ts';
import type { SessionHost } from '../session-host.ts';
import type { SkillsAsker } from '../skills/list-skills.ts';
import { MODERN_LOCAL_METHODS } from './modern-methods.ts';

/** The client whose request is answered. */
export interface ModernAsker extends SkillsAsker {
  readonly host: SessionHost;
  /** The id under which calls are counted; `undefined` if the client is unknown. */
  readonly payer: string | undefined;
}

/**
 * Answers a request of a modern client that no provider answers, now or later.
 * @throws JsonTextError when the params are not valid JSON
 */
export function answerLocally(message: RequestMessage, asker: ModernAsker, exchange: Exchange): void {
  const { method, id } = message;
  const { host, payer } = asker;
  const local = MODERN_LOCAL_METHODS.get(method);
  if (local === undefined) {
    exchange.reply(errorReply({ code: -32601, message: `Method not found: ${method}` }).withId(id), 404);
    return;
  }
  const params = valueAt(message.frame.text, message.params) as Record<string, unknown>;
  const outcome = admittedAnswer(method, { quota: host.quota, payer }, () => local(host, params, asker));
  const answer = (reply: Reply) => exchange.reply(reply.withId(id));
  if (outcome instanceof Promise) outcome.then(answer, (error: unknown) => answer(failed(host, method, error)));
  else answer(outcome);
}

function failed({ log }: SessionHost, method: string, error: unknown): Reply {
  if (!(error instanceof GatewayError)) log.error({ error, method }, 'a fault of the gateway while it answered');
  return failureReply(method, toGatewayError(error));
}
