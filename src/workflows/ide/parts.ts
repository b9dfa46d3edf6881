import type { Database } from '../../store/database/database.ts';
import type { WorkflowContext } from '../define.ts';
import { createIdeBuilds, type IdeBuilds } from './builds/builds.ts';
import type { Chat } from './chat/chat.ts';
import { createChat } from './chat/create-chat.ts';
import type { IdeOptions } from './options.ts';

/** The gateway's own sources of the workflow. */
export interface Parts {
  readonly chat: Chat;
  readonly builds: IdeBuilds;
}

/** Returns the gateway's own sources, which use a database that belongs to the caller. */
export function createParts(context: WorkflowContext<IdeOptions>, database: Database): Parts {
  return { chat: createChat({ ...context, database }), builds: createIdeBuilds({ ...context, database }) };
}
