import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { Scope } from '../../../../src/core/access/permissions.ts';
import { LiveFeed, type LiveMessage } from '../../../../src/core/providers/live-feed.ts';
import type { ModelBackends } from '../../../../src/core/settings/model-backends.ts';
import { LoginPath } from '../../../../src/process/login-path.ts';
import { Reaper } from '../../../../src/process/reaper.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import type { CallContext, ProgressReport } from '../../../../src/workflows/define.ts';
import type { Chat } from '../../../../src/workflows/ide/chat/chat.ts';
import { createChat } from '../../../../src/workflows/ide/chat/create-chat.ts';
import { chatOptions } from '../../../../src/workflows/ide/chat/options.ts';
import { UNPROTECTED } from '../../../../src/workspace/protection/guard.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { atEnd } from '../../../support/shared.ts';

export const AGENT = path.resolve('dist-fixtures', 'agent.js');

export interface TestCaller {
  readonly folder?: string | undefined;
  readonly scope?: Scope;
  readonly signal?: AbortSignal;
  readonly name?: string;
  readonly depth?: number;
}

/** A call of a client, and what it was told of its progress. */
export function callOf({ folder, scope, signal, name = 'test', depth }: TestCaller) {
  const progress: ProgressReport[] = [];
  const context: CallContext & { readonly progressed: ProgressReport[] } = {
    client: { era: 'legacy', id: 'client', hasSession: true, name, depth, ...(scope !== undefined && { scope }) },
    signal: signal ?? new AbortController().signal,
    folder: () => Promise.resolve(folder),
    progress: (report: ProgressReport) => void progress.push(report),
    canElicit: false,
    elicit: () => Promise.reject(new Error('cannot')),
    progressed: progress,
  } as never;
  return context;
}

export interface ChatSetup {
  readonly options?: object;
  readonly home?: string;
  readonly generate?: ModelBackends['generate'];
  readonly env?: Record<string, string | undefined>;
  /** The workspace; the client's folder if missing. */
  readonly root?: string;
}

/** Chats in a database of their own, and a project. They end with the test. */
export function chatSetup(given: ChatSetup = {}) {
  const { options = {}, home = temporaryFolder(), generate, env = process.env, root } = given;
  const folder = realpathSync(temporaryFolder());
  const live = new LiveFeed();
  const database = openDatabase({ home });
  const told: LiveMessage[] = [];
  const models = {
    defaultName: 'stand-in',
    generate: generate ?? (() => Promise.reject(new Error('no model'))),
    states: () => Promise.resolve([]),
  };
  const chat: Chat = createChat({
    options: chatOptions.parse(options),
    database,
    models: () => Promise.resolve(models),
    reaper: new Reaper(),
    loginPath: new LoginPath({}),
    log: createLog({ level: 'silent' }),
    env,
    home,
    workspace: {
      roots: root === undefined ? [] : [{ folder: root }],
      clientFolders: [],
      unprotected: [],
      undo: { changes: 1, megabytes: 1, fileMegabytes: 1 },
    },
    guard: () => UNPROTECTED,
    live,
  });
  atEnd(async () => {
    await chat.stop();
    await database.close();
  });
  const call = (caller: TestCaller = {}) => callOf({ folder, ...caller });
  const watch = (sessionId: string) =>
    live.watch(`chat:${sessionId}`, { onMessage: (message) => void told.push(message), whenRoom: () => undefined });
  return { chat, folder, home, database, live, told, call, watch };
}
