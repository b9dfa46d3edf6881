import { GatewayError } from '../../../../src/core/errors.ts';
import type { Build } from '../../../../src/core/stores/build-store.ts';
import { openDatabase } from '../../../../src/store/database/database.ts';
import type { IdeBuilds } from '../../../../src/workflows/ide/builds/builds.ts';
import type { Chat, ChatMessage, ChatSession } from '../../../../src/workflows/ide/chat/chat.ts';
import { ideOptions } from '../../../../src/workflows/ide/options.ts';
import { ideWith } from '../../../../src/workflows/ide/workflow.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { workflowSetup } from '../workflow-setup.ts';

const NOW = '2026-02-03T04:05:06.000Z';

/** Chats in memory. */
function memoryChat(): Chat {
  const sessions: ChatSession[] = [];
  const messages = new Map<string, ChatMessage[]>();
  const find = (id: string): ChatMessage[] => {
    const found = messages.get(id);
    if (found === undefined) throw new GatewayError('IDE_SESSION_NOT_FOUND', `There is no session ${id}`);
    return found;
  };
  return {
    async create(name) {
      const session = { id: `own-${sessions.length + 1}`, name, status: 'active', createdAt: NOW };
      sessions.push(session);
      messages.set(session.id, []);
      return session;
    },
    list: async () => sessions,
    history: async (id, limit) => find(id).slice(limit === undefined ? 0 : -limit),
    async send(id, content) {
      const reply: ChatMessage = { role: 'assistant', content: `re: ${content}`, timestamp: NOW, author: 'model' };
      find(id).push({ role: 'user', content, timestamp: NOW }, reply);
      return { sent: true, timestamp: NOW, reply };
    },
    async plan(id) {
      find(id);
      return { status: 'in_progress', steps: [{ name: 'first', status: 'done' }] };
    },
    has: async (id) => messages.has(id),
    counts: async () => ({ sessions: sessions.length, messages: [...messages.values()].flat().length }),
    stop: async () => undefined,
  };
}

export const OWN_BUILDS: readonly Build[] = (['success', 'success', 'failed', 'running'] as const).map(
  (status, index) => ({
    id: `own-build-${index + 1}`,
    projectId: 'acme-web',
    repo: index < 3 ? 'web' : 'other',
    branch: 'main',
    status,
    command: 'make',
    runner: undefined,
    machine: 'here',
    host: 'here',
    logFault: undefined,
    exitCode: status === 'running' ? undefined : 0,
    startedMs: Date.now() - 60_000 * (4 - index),
    endedMs: status === 'running' ? undefined : Date.now() - 60_000 * (4 - index) + 1_500,
  }),
);

/** The builds of `OWN_BUILDS`, each with ten lines of output. */
function memoryBuilds(names: readonly string[]): IdeBuilds {
  const get = async (id: string): Promise<Build> => {
    const found = OWN_BUILDS.find((build) => build.id === id);
    if (found === undefined) throw new GatewayError('BUILD_NOT_FOUND', `There is no build ${id}`);
    return found;
  };
  const newest = OWN_BUILDS.toReversed();
  return {
    names,
    start: async () => OWN_BUILDS[3]!,
    cancel: async (id) => ({ build: await get(id), success: false, message: 'it had ended before' }),
    get,
    list: async ({ repo, limit }) =>
      newest.filter((build) => repo === undefined || build.repo === repo).slice(0, limit),
    async logs(id, tail) {
      await get(id);
      const lines = Array.from({ length: 10 }, (_, index) => `line ${index}`);
      return tail === undefined ? lines : lines.slice(-tail);
    },
    since: async (projects, since) =>
      OWN_BUILDS.filter(
        ({ projectId, startedMs }) => startedMs >= since && (projects === undefined || projects.includes(projectId!)),
      ),
    stop: async () => undefined,
  };
}

/** The workflow with chats and builds in memory, and a client that calls it. */
export function ideSetup(options: object = {}, names: readonly string[] = []) {
  const home = temporaryFolder();
  const parts = { chat: memoryChat(), builds: memoryBuilds(names) };
  const database = openDatabase({ home });
  const setup = workflowSetup(
    'ide',
    (surroundings) => ideWith(parts, { ...surroundings, options: ideOptions.parse(options) }, database),
    {
      home,
      gateway: {
        report: () => ({ upstreams: [{}, {}] }) as never,
        explain: () => Promise.reject(new Error('not asked')),
        offers: () => false,
        clients: () => 3,
        seesEverything: ({ scope }) => scope === undefined,
      },
    },
  );
  setup.workflow.start();
  const isOnline = async () => (await setup.call('ide_dashboard_overview')).overview.bridgeOnline as boolean;
  return { ...setup, ...parts, home, database, isOnline };
}
