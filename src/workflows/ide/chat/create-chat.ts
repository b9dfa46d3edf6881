import { openCheckpointStore } from '../../../store/checkpoints/open-checkpoint-store.ts';
import type { Database } from '../../../store/database/database.ts';
import { openChatStore } from '../../../store/ide/open-chat-store.ts';
import type { WorkflowContext } from '../../define.ts';
import type { Agents } from '../agent/agents.ts';
import { type Answerer, agentAnswerer, modelAnswerer } from './answerer.ts';
import type { Chat } from './chat.ts';
import type { ChatOptions } from './options.ts';
import { StoredChat } from './stored-chat.ts';

type Needed = 'models' | 'reaper' | 'loginPath' | 'log' | 'env' | 'home' | 'workspace' | 'guard' | 'live';

export interface CreateChatOptions extends Pick<WorkflowContext<unknown>, Needed> {
  readonly options: ChatOptions;
  readonly database: Database;
}

/** Returns the chats that are kept in a database. Nothing is opened or started before the first call. */
export function createChat(given: CreateChatOptions): Chat {
  const { options, database, live, log } = given;
  return new StoredChat({
    options,
    live,
    log,
    store: openChatStore(database),
    // The projects of folders are the same for all workflows.
    checkpoints: openCheckpointStore({ database }),
    answerer: answererFor(given),
  });
}

function answererFor(given: CreateChatOptions): Answerer | undefined {
  const { options, models } = given;
  if (options.answers === 'model') return modelAnswerer(options.model, models);
  if (options.answers === 'none' || options.agent === undefined) return undefined;
  const agent = { ...given, options: options.agent };
  // Its code is loaded with the first message.
  let agents: Promise<Agents> | undefined;
  const load = () => (agents ??= import('../agent/agents.ts').then((module) => new module.Agents(agent)));
  return agentAnswerer(options.agent, load, given);
}
