import { toGatewayError } from '../../core/errors.ts';
import { boundedRoots, MAX_ROOTS, ROOTS_BOUND } from '../../core/folders/bounded-roots.ts';
import type { FolderRule } from '../../core/folders/folder-rule.ts';
import { asObject } from '../../core/json/as-object.ts';
import { folderOfRoot } from '../../core/providers/client-questions.ts';
import type { ClientAsk, WithdrawAsk } from '../../core/providers/provider.ts';
import { valueAt } from '../../wire/lens.ts';
import type { NotificationMessage } from '../../wire/message.ts';
import { openReply, type Reply, resultReply } from '../../wire/reply.ts';
import { warning } from '../warning.ts';

export interface AskInRule {
  /** `undefined` lets the client name any folder. */
  readonly rule: FolderRule | undefined;
  /** Tells the client which of its roots were left out. */
  readonly tell: (message: NotificationMessage) => void;
  /** Asks the client. */
  readonly send: (ask: ClientAsk) => WithdrawAsk;
}

/** Asks a client; where it is asked for its roots by an upstream, only those that it may use are passed on. */
export function askInRule(ask: ClientAsk, { rule, tell, send }: AskInRule): WithdrawAsk {
  if (rule === undefined || ask.isOwn === true || ask.message.method !== 'roots/list') return send(ask);
  let isWithdrawn = false;
  const passOn = async (answer: Reply) => {
    const { reply, notice } = await answerInRule(answer, rule);
    if (isWithdrawn) return;
    if (notice !== undefined) tell(notice);
    ask.onAnswer(reply);
  };
  const withdraw = send({
    message: ask.message,
    onAnswer: (answer) =>
      void passOn(answer).catch((error: unknown) => {
        if (!isWithdrawn) ask.onFailure(toGatewayError(error));
      }),
    onFailure: (error) => ask.onFailure(error),
    onProgress: (frame, token) => ask.onProgress(frame, token),
  });
  return (reason) => {
    isWithdrawn = true;
    withdraw(reason);
  };
}

async function answerInRule(
  answer: Reply,
  rule: FolderRule,
): Promise<{ readonly reply: Reply; readonly notice?: NotificationMessage | undefined }> {
  if (answer.outcome === 'error') return { reply: answer };
  const { frame, body } = openReply(answer);
  const { result, notice } = await rootsInRule(valueAt(frame.text, body), rule);
  return { reply: resultReply(result), notice };
}

/**
 * Returns the result of `roots/list` with those roots alone that a rule admits, rebuilt: of a member that occurs twice, an
 * upstream may read the other one. At most `most` roots are looked at. `notice` tells the client what was left out.
 */
export async function rootsInRule(
  given: unknown,
  rule: FolderRule,
  most: number = MAX_ROOTS,
): Promise<{ readonly result: object; readonly notice: NotificationMessage | undefined }> {
  const { roots, leftOut } = boundedRoots(asObject(given).roots, most);
  const kept: object[] = [];
  const refusals: string[] = [];
  for (const root of roots) {
    const folder = folderOfRoot(root);
    // A root that is not a folder of this machine cannot be checked against the rule.
    if (folder !== undefined && (await rule.admit(folder)) !== undefined) kept.push(plainRoot(root));
    else refusals.push(rule.refuse(folder ?? String(asObject(root).uri)).message);
  }
  if (leftOut > 0) refusals.push(`${leftOut} roots are ignored: ${ROOTS_BOUND}`);
  return { result: { roots: kept }, notice: refusals.length === 0 ? undefined : leftOutNotice(refusals) };
}

function plainRoot(root: unknown): object {
  const { uri, name, _meta } = asObject(root);
  return { uri, ...(typeof name === 'string' && { name }), ...(_meta !== undefined && { _meta }) };
}

function leftOutNotice(refusals: readonly string[]): NotificationMessage {
  return warning(`Roots were left out. ${[...new Set(refusals)].join('\n')}`);
}
