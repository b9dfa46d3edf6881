import type { EntryKind } from '../../core/providers/provider.ts';
import { type PassedCapabilities, passedCapabilities, SKILL_METHODS, unionOf } from '../../era/extensions.ts';
import { knowsTasks, LOG_LEVELS, negotiate, severityOf } from '../../era/legacy/legacy.ts';
import { LEGACY_TASK_METHODS, LEGACY_TASKS } from '../../era/tasks.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { errorReply, madeReply, type Reply, resultReply } from '../../wire/reply.ts';
import type { SessionHost } from '../session-host.ts';
import { listSkills, type SkillsAsker } from '../skills/list-skills.ts';
import { ASKING_METHODS } from './admitted-answer.ts';
import type { LocalClient } from './local-client.ts';

type Params = Readonly<Record<string, unknown>>;

/** A method that the gateway answers itself. */
export type LocalMethod = (client: LocalClient, params: Params) => Reply | Promise<Reply>;

/**
 * Declared completely from the start, regardless of the upstreams: they come and go, and capabilities cannot be added later.
 */
export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
} as const;

/** The largest introduction of a client, in bytes. It is kept as long as the session, and a body may have many megabytes. */
const MAX_INTRODUCTION = 64 * 1024;

/** Everything is on the first page of a list, so no cursor was ever given out. */
export const UNKNOWN_CURSOR: Reply = errorReply({ code: -32602, message: 'Invalid params: unknown cursor' });

/** Returns the capabilities that are passed on from servers behind the gateway: those that clients of this host may see. */
export async function passedBy({ catalogue, listGraceMs }: SessionHost): Promise<PassedCapabilities> {
  await catalogue.whenDeclared(listGraceMs());
  return unionOf(catalogue.providers.map((provider) => passedCapabilities(provider.declared?.() ?? {})));
}

async function initialize({ id, principal, introduction, host }: LocalClient, params: Params): Promise<Reply> {
  if (JSON.stringify([params.capabilities, params.clientInfo]).length > MAX_INTRODUCTION)
    return errorReply({ code: -32602, message: 'Invalid params: "capabilities" and "clientInfo" are too long' });
  const revision = negotiate(params.protocolVersion);
  introduction.introduce(revision, params);
  const { serverInfo, log } = host;
  log.info(
    {
      event: 'client',
      session: id,
      client: introduction.clientInfo.name,
      ...(principal?.name && { principal: principal.name }),
      revision,
    },
    'a client has connected',
  );
  return resultReply({
    protocolVersion: revision,
    capabilities: { ...CAPABILITIES, ...(knowsTasks(revision) && LEGACY_TASKS), ...(await passedBy(host)) },
    serverInfo,
    instructions: host.instructions(),
  });
}

function list(kind: EntryKind): LocalMethod {
  return ({ host, lists }, params) => {
    if (params.cursor !== undefined) return UNKNOWN_CURSOR;
    const { catalogue, listGraceMs } = host;
    return lists.answer(kind, catalogue.whenKnown(listGraceMs(), kind), () =>
      madeReply('result', catalogue.listResult(kind, 'legacy')),
    );
  };
}

/** Returns the tasks of this client, all on one page, and never those of another client of the same upstreams. */
async function listTasks({ id, host }: LocalClient, params: Params): Promise<Reply> {
  if (params.cursor !== undefined) return UNKNOWN_CURSOR;
  const { providers } = host.catalogue;
  const lists = await Promise.all(providers.map(async ({ tasks }) => (await tasks?.list(id)) ?? []));
  return madeReply('result', `{"tasks":[${lists.flat().join(',')}]}`);
}

async function skills({ id, host, introduction }: LocalClient, params: Params): Promise<Reply> {
  if (params.cursor !== undefined) return UNKNOWN_CURSOR;
  const entries = await skillsOf(host, { sessionId: id, client: introduction.facts });
  return madeReply('result', `{"skills":[${entries.join(',')}]}`);
}

/** Returns the skills of all servers that clients of this host may see, on one page. */
export async function skillsOf(host: SessionHost, asker: SkillsAsker): Promise<readonly ByteString[]> {
  await host.catalogue.whenDeclared(host.listGraceMs());
  return listSkills(host.catalogue.providers, asker, host.log);
}

function setLevel({ logLevel }: LocalClient, params: Params): Reply {
  if (severityOf(params.level) === -1) {
    return errorReply({ code: -32602, message: `Invalid params: "level" must be one of ${LOG_LEVELS.join(', ')}` });
  }
  logLevel.set(params.level as string);
  return resultReply({});
}

/** Methods of legacy clients that a provider answers. */
export const PROVIDER_METHODS = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  ...SKILL_METHODS,
  ...LEGACY_TASK_METHODS,
]);

/** Methods of legacy clients whose requests are calls, which are bounded. */
export const COUNTED_METHODS = new Set([...PROVIDER_METHODS, ...ASKING_METHODS]);

export const LOCAL_METHODS: ReadonlyMap<string, LocalMethod> = new Map<string, LocalMethod>([
  ['initialize', initialize],
  ['ping', () => resultReply({})],
  ['tools/list', list('tool')],
  ['prompts/list', list('prompt')],
  ['resources/list', list('resource')],
  ['resources/templates/list', list('template')],
  ['logging/setLevel', setLevel],
  ['tasks/list', listTasks],
  ['skills/list', skills],
]);
