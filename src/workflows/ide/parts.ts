import { GatewayError } from '../../core/errors.ts';
import type { Database } from '../../store/database/database.ts';
import type { WorkflowContext } from '../define.ts';
import type { IdeBuilds } from './builds/builds.ts';
import type { Chat } from './chat/chat.ts';
import type { IdeOptions } from './options.ts';

/** The gateway's own sources of the workflow. */
export interface Parts {
  readonly chat: Chat;
  readonly builds: IdeBuilds;
}

/** Returns the gateway's own sources, which use a database that belongs to the caller. */
export function createParts(_context: WorkflowContext<IdeOptions>, _database: Database): Parts {
  return { chat: NO_CHAT, builds: NO_BUILDS };
}

const noSession = (): Promise<never> =>
  Promise.reject(
    new GatewayError('IDE_SESSION_NOT_FOUND', 'There is no chat session with this id', { effect: 'none' }),
  );
const noBuild = (): Promise<never> =>
  Promise.reject(new GatewayError('BUILD_NOT_FOUND', 'There is no build with this id', { effect: 'none' }));

const NO_CHAT: Chat = {
  create: noSession,
  list: async () => [],
  history: noSession,
  send: noSession,
  plan: noSession,
  counts: async () => ({ sessions: 0, messages: 0 }),
  stop: async () => undefined,
};

const NO_BUILDS: IdeBuilds = {
  names: [],
  start: noBuild,
  get: noBuild,
  list: async () => [],
  logs: noBuild,
  since: async () => [],
  stop: async () => undefined,
};
