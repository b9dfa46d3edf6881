import type { RequestMessage } from '../../../wire/message.ts';
import type { Reply } from '../../../wire/reply.ts';

/** The task because of which an upstream asks. */
export interface AskingTask {
  /** The task, as the upstream calls it. */
  readonly ownId: string;
  /** The client whose task it is, where one is known. */
  readonly sessionId: string | undefined;
}

/** A question of an upstream because of a task. */
export interface TaskAsk extends AskingTask {
  /** The request as the client gets it. */
  readonly message: RequestMessage;
  /** Makes the client's answer the one that the upstream gets. */
  toOwn(answer: Reply): Reply;
}
