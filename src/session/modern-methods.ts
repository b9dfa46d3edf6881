import type { EntryKind } from '../core/provider.ts';
import { MODERN_REVISION } from '../era/modern.ts';
import { forModernClient, listHead } from '../era/modern-result.ts';
import { MODERN_TASK_METHODS, TASKS_EXTENSION } from '../era/tasks.ts';
import { errorReply, madeReply, type Reply, resultReply } from '../wire/reply.ts';
import { CAPABILITIES } from './local-methods.ts';
import type { SessionHost } from './session.ts';

type Params = Readonly<Record<string, unknown>>;

/** A modern method that the gateway answers itself. */
type ModernLocalMethod = (host: SessionHost, params: Params) => Reply | Promise<Reply>;

/** Methods of modern clients that a provider answers. */
export const MODERN_PROVIDER_METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  ...MODERN_TASK_METHODS,
]);

function discover(host: SessionHost): Reply {
  const offersTasks = host.catalogue.providers.some((provider) => provider.tasks?.offered === 'modern');
  const result = resultReply({
    supportedVersions: [MODERN_REVISION],
    capabilities: { ...CAPABILITIES, ...(offersTasks && TASKS_EXTENSION) },
    instructions: host.instructions(),
    ttlMs: 0,
    cacheScope: 'private',
  });
  return forModernClient('server/discover', result, host.serverInfoInResults());
}

function list(kind: EntryKind): ModernLocalMethod {
  return async ({ catalogue, listGraceMs, ...host }, params) => {
    // Everything is on the first page, so no cursor was ever given out.
    if (params.cursor !== undefined) return errorReply({ code: -32602, message: 'Invalid params: unknown cursor' });
    await catalogue.whenKnown(listGraceMs, kind);
    return madeReply('result', catalogue.listResult(kind, 'modern', listHead(host.serverInfoInResults())));
  };
}

export const MODERN_LOCAL_METHODS: ReadonlyMap<string, ModernLocalMethod> = new Map<string, ModernLocalMethod>([
  ['server/discover', discover],
  ['tools/list', list('tool')],
  ['prompts/list', list('prompt')],
  ['resources/list', list('resource')],
  ['resources/templates/list', list('template')],
]);
