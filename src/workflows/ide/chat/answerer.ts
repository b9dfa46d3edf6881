import { GatewayError } from '../../../core/errors.ts';
import type { ModelBackends, ModelMessage } from '../../../core/settings/model-backends.ts';
import type { StoredMessage } from '../../../core/stores/chat-store.ts';
import { sandboxOf } from '../../../workspace/sandbox.ts';
import type { CallContext, CallingClient, WorkflowContext } from '../../define.ts';
import type { Agents } from '../agent/agents.ts';
import { type HistoryBounds, historyBefore, promptText } from './conversation.ts';
import type { ChatOptions } from './options.ts';

/** A message that is to be answered. */
export interface Question {
  readonly sessionId: string;
  /** The folder of the project. */
  readonly folder: string;
  readonly message: StoredMessage;
  /** The messages of the session, oldest first. */
  readonly messages: readonly StoredMessage[];
  /** Context of the call that has sent the message. */
  readonly context: CallContext;
  /** Aborted with the call, and when the gateway stops. */
  readonly signal: AbortSignal;
}

export interface Answer {
  readonly text: string;
  /** The model or program that has answered. */
  readonly author: string;
  /** Remark on it for the client that has asked. */
  readonly note?: string | undefined;
}

/** Answers messages of chats. */
export interface Answerer {
  /** Most earlier messages that it wants to have. */
  readonly bounds: HistoryBounds;
  /**
   * Makes sure that it may answer a client. To be asked before the message waits for its turn: an agent that writes to its own
   * session would wait for its own end.
   * @throws GatewayError
   */
  requireFor?(client: CallingClient): Promise<void>;
  /** @throws GatewayError when it has no answer; the reason of the question's signal */
  answer(question: Question): Promise<Answer>;
}

/** Returns the model of the config as an answerer. */
export function modelAnswerer(options: ChatOptions['model'], models: () => Promise<ModelBackends>): Answerer {
  return {
    bounds: options,
    async answer({ message, messages, context, signal }) {
      const { backend, model, temperature, maxTokens, system } = options;
      const conversation = [...historyBefore(message, messages, options), message].map(toModelMessage);
      const request = { messages: [...systemMessage(system), ...conversation], model, temperature, maxTokens };
      const generation = await (await models()).generate(backend, request, {
        signal,
        onText: progressOf(context),
        client: context.sampling,
      });
      if (generation.text.trim() === '') throw new GatewayError('MODEL_FAILED', EMPTY);
      const author = [generation.backend, generation.model].filter((name) => name !== undefined).join('/');
      return { text: generation.text, author, note: generation.end === 'length' ? CUT_OFF : undefined };
    },
  };
}

/** Returns the agent of the config as an answerer. */
export function agentAnswerer(
  options: HistoryBounds,
  agents: () => Promise<Agents>,
  { workspace, guard }: Pick<WorkflowContext<unknown>, 'workspace' | 'guard'>,
): Answerer {
  return {
    bounds: options,
    requireFor: async (client) => (await agents()).requireFor(client),
    async answer({ sessionId, folder: path, message, messages, context, signal }) {
      const running = await agents();
      const prompt = promptText(historyBefore(message, messages, options), message);
      const folder = await (await sandboxOf(context, workspace, guard())).folder(path);
      try {
        return await running.answer({ prompt, sessionId, folder, signal });
      } finally {
        await folder.close();
      }
    },
  };
}

const EMPTY = 'The model has answered with an empty text. Send the message again, or choose another model';
const CUT_OFF = 'The answer ends at the limit on its length (workflows.ide.model.maxTokens, or that of the model)';

function systemMessage(system: string | undefined): ModelMessage[] {
  return system === undefined ? [] : [{ role: 'system', content: system }];
}

function toModelMessage({ role, content }: StoredMessage): ModelMessage {
  return { role, content };
}

/** Tells the client how much the model has written. The text itself is stored first. */
function progressOf(context: CallContext): (piece: string) => void {
  let characters = 0;
  return (piece) => {
    if (piece === '') return;
    characters += piece.length;
    context.progress({ progress: characters, message: `The model has written ${characters} characters` });
  };
}
