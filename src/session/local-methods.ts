import type { EntryKind } from '../core/provider.ts';
import { knowsTasks, LOG_LEVELS, negotiate, severityOf } from '../era/legacy.ts';
import { LEGACY_TASKS } from '../era/tasks.ts';
import { errorReply, madeReply, type Reply, resultReply } from '../wire/reply.ts';
import type { Session } from './session.ts';

type Params = Readonly<Record<string, unknown>>;

/** A method that the gateway answers itself. */
export type LocalMethod = (session: Session, params: Params) => Reply | Promise<Reply>;

/**
 * Declared whole from the start, whatever upstreams have: they come and go, and capabilities cannot be added later.
 */
export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
} as const;

/** What a client says of itself is kept as long as its session, and a body may have many megabytes. */
const MAX_INTRODUCTION = 64 * 1024;

function initialize(session: Session, params: Params): Reply {
  if (JSON.stringify([params.capabilities, params.clientInfo]).length > MAX_INTRODUCTION)
    return errorReply({ code: -32602, message: 'Invalid params: "capabilities" and "clientInfo" are too long' });
  const revision = negotiate(params.protocolVersion);
  session.introduce(revision, params);
  const { serverInfo, log } = session.host;
  log.info(
    {
      event: 'client',
      session: session.id,
      client: session.clientInfo.name,
      ...(session.principal?.name && { principal: session.principal.name }),
      revision,
    },
    'a client has connected',
  );
  return resultReply({
    protocolVersion: revision,
    capabilities: { ...CAPABILITIES, ...(knowsTasks(revision) && LEGACY_TASKS) },
    serverInfo,
    instructions: session.host.instructions(),
  });
}

function list(kind: EntryKind): LocalMethod {
  return (session, params) => {
    // Everything is on the first page, so no cursor was ever given out.
    if (params.cursor !== undefined) return errorReply({ code: -32602, message: 'Invalid params: unknown cursor' });
    const { catalogue, listGraceMs } = session.host;
    return session.whileListing(kind, async () => {
      await catalogue.whenKnown(listGraceMs, kind);
      return madeReply('result', catalogue.listResult(kind, 'legacy'));
    });
  };
}

/** The tasks of this client, all on one page. Others of the same upstreams are none of its business. */
async function listTasks(session: Session, params: Params): Promise<Reply> {
  if (params.cursor !== undefined) return errorReply({ code: -32602, message: 'Invalid params: unknown cursor' });
  const { providers } = session.host.catalogue;
  const lists = await Promise.all(providers.map(async ({ tasks }) => (await tasks?.list(session.id)) ?? []));
  return madeReply('result', `{"tasks":[${lists.flat().join(',')}]}`);
}

function setLevel(session: Session, params: Params): Reply {
  if (severityOf(params.level) === -1) {
    return errorReply({ code: -32602, message: `Invalid params: "level" must be one of ${LOG_LEVELS.join(', ')}` });
  }
  session.setLogLevel(params.level as string);
  return resultReply({});
}

export const LOCAL_METHODS: ReadonlyMap<string, LocalMethod> = new Map<string, LocalMethod>([
  ['initialize', initialize],
  ['ping', () => resultReply({})],
  ['tools/list', list('tool')],
  ['prompts/list', list('prompt')],
  ['resources/list', list('resource')],
  ['resources/templates/list', list('template')],
  ['logging/setLevel', setLevel],
  ['tasks/list', listTasks],
]);
