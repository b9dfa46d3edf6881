import type { EntryKind } from '../../core/providers/provider.ts';
import { SKILL_METHODS } from '../../era/extensions.ts';
import { MODERN_REVISION } from '../../era/modern/modern.ts';
import { forModernClient, listHead } from '../../era/modern/modern-result.ts';
import { MODERN_TASK_METHODS, TASKS_EXTENSION } from '../../era/tasks.ts';
import { madeReply, type Reply, resultReply } from '../../wire/reply.ts';
import { CAPABILITIES, passedBy, skillsOf, UNKNOWN_CURSOR } from '../local/local-methods.ts';
import type { SessionHost } from '../session-host.ts';
import type { SkillsAsker } from '../skills/list-skills.ts';

type Params = Readonly<Record<string, unknown>>;

/** A modern method that the gateway answers itself. */
type ModernLocalMethod = (host: SessionHost, params: Params, asker: SkillsAsker) => Reply | Promise<Reply>;

/** Methods of modern clients that a provider answers. */
export const MODERN_PROVIDER_METHODS: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  ...SKILL_METHODS,
  ...MODERN_TASK_METHODS,
]);

async function discover(host: SessionHost): Promise<Reply> {
  const passed = await passedBy(host);
  const offersTasks = host.catalogue.providers.some((provider) => provider.tasks?.offered === 'modern');
  const extensions = { ...passed.extensions, ...(offersTasks && TASKS_EXTENSION.extensions) };
  const result = resultReply({
    supportedVersions: [MODERN_REVISION],
    capabilities: { ...CAPABILITIES, ...passed, ...(Object.keys(extensions).length > 0 && { extensions }) },
    instructions: host.instructions(),
    ttlMs: 0,
    cacheScope: 'private',
  });
  return forModernClient('server/discover', result, host.serverInfoInResults());
}

function list(kind: EntryKind): ModernLocalMethod {
  return async ({ catalogue, listGraceMs, ...host }, params) => {
    if (params.cursor !== undefined) return UNKNOWN_CURSOR;
    await catalogue.whenKnown(listGraceMs(), kind);
    return madeReply('result', catalogue.listResult(kind, 'modern', listHead(host.serverInfoInResults())));
  };
}

async function skills(host: SessionHost, params: Params, asker: SkillsAsker): Promise<Reply> {
  if (params.cursor !== undefined) return UNKNOWN_CURSOR;
  const entries = await skillsOf(host, asker);
  return madeReply('result', `{${listHead(host.serverInfoInResults())},"skills":[${entries.join(',')}]}`);
}

export const MODERN_LOCAL_METHODS: ReadonlyMap<string, ModernLocalMethod> = new Map<string, ModernLocalMethod>([
  ['server/discover', discover],
  ['skills/list', skills],
  ['tools/list', list('tool')],
  ['prompts/list', list('prompt')],
  ['resources/list', list('resource')],
  ['resources/templates/list', list('template')],
]);
