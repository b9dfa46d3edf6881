import { z } from 'zod';
import { at } from '../../../services/service-words.ts';
import { type CallContext, defineTool, type ToolDefinition } from '../../define.ts';
import { READS } from '../../define-project-tool.ts';
import type { IncomingMessage } from '../bridge/messages.ts';
import { askOrKnow, knowsNothing } from './ask-backend.ts';
import { backendTime, listOf } from './backend-answer.ts';
import { type BuildRecord, buildRecord, REMARKS, toBuildRecord } from './records.ts';
import { bridgeFor, type Toolbox } from './toolbox.ts';

const MAX_TEXT = 256;
const MAX_LIMIT = 1_000;
const USUAL_LIMIT = 20;
const MAX_TAIL = 10_000;
const USUAL_TAIL = 100;

const buildId = z.string().min(1).max(MAX_TEXT).describe('Id of the build, as ide_build_list gives it');
const OWN_BUILDS = 'builds that ran under the gateway, of projects that you may see';

const givenBuild = z.object({ ...buildRecord.shape, startedAt: backendTime }).transform(
  ({ startedAt, duration, ...build }): BuildRecord => ({
    ...build,
    ...(duration && { duration }),
    ...(startedAt !== undefined && { startedAt }),
  }),
);
const statusData = z.object({ build: givenBuild });
const listData = z.object({ builds: listOf(givenBuild) });
const logsData = z.object({ lines: listOf(z.string()) });

export function buildStatusTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_build_status',
    title: 'IDE builds: status',
    description: 'Returns the status of a build, when it began, and how long it took.',
    input: z.strictObject({ buildId }),
    output: z.object({ build: buildRecord, ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: async ({ buildId: id }, context) => {
      const own = await ownBuild(toolbox, id, context);
      if (own !== undefined) return { build: own };
      return askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'build_status', data: { buildId: id } },
          answer: { asked: 'build_status', types: ['build_status'], concerns: ofBuild(id), data: statusData },
          toResult: ({ build }) => ({ build }),
          placeholder: () => ({ build: { id, repo: '', branch: '', status: 'unknown' } }),
          own: async () => ({ build: toBuildRecord(await toolbox.builds.get(id, context)) }),
          ownSources: { build: OWN_BUILDS },
        },
        context,
      );
    },
  });
}

export function buildListTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_build_list',
    title: 'IDE builds: list',
    description:
      'Lists builds, the newest first: those that ran under the gateway in projects that you may see, and those of the IDE backend if there is one.',
    input: z.strictObject({
      repo: z
        .string()
        .max(MAX_TEXT)
        .optional()
        .describe('Only builds of this repository; an empty text counts as absent'),
      limit: z.int().min(0).max(MAX_LIMIT).optional().describe(`Most builds to return; ${USUAL_LIMIT} if absent or 0`),
    }),
    output: z.object({ builds: z.array(buildRecord), ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: async ({ repo = '', limit: most = 0 }, context) => {
      const limit = most === 0 ? USUAL_LIMIT : most;
      const query = { limit, ...(repo !== '' && { repo }) };
      const list = async () => (await toolbox.builds.list(query, context)).map(toBuildRecord);
      return askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'build_list', data: { repo, limit: most } },
          answer: { asked: 'build_list', types: ['build_list'], concerns: ofRepo(repo), data: listData },
          toResult: async ({ builds }) => ({ builds: newest([...builds, ...(await ownList(list))], limit) }),
          placeholder: async () => ({ builds: await ownList(list) }),
          own: async () => ({ builds: await list() }),
          ownSources: { builds: OWN_BUILDS },
        },
        context,
      );
    },
  });
}

export function buildLogsTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_build_logs',
    title: 'IDE builds: log',
    description: `Returns the last lines that a build has written, also while it runs: ${USUAL_TAIL} of them unless tail says otherwise.`,
    input: z.strictObject({
      buildId,
      tail: z
        .int()
        .min(0)
        .max(MAX_TAIL)
        .optional()
        .describe(`Number of lines from the end; ${USUAL_TAIL} if absent or 0`),
    }),
    output: z.object({ buildId: z.string(), lines: z.array(z.string()), ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: async ({ buildId: id, tail = 0 }, context) => {
      const last = tail === 0 ? USUAL_TAIL : tail;
      const own = async () => ({ buildId: id, lines: [...(await toolbox.builds.logs(id, last, context))] });
      if ((await ownBuild(toolbox, id, context)) !== undefined) return own();
      return askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'build_logs', data: { buildId: id, tail } },
          answer: { asked: 'build_logs', types: ['build_logs'], concerns: ofBuild(id), data: logsData },
          toResult: ({ lines }) => ({ buildId: id, lines: lines.slice(-last) }),
          placeholder: () => ({ buildId: id, lines: [] }),
          own,
          ownSources: { lines: OWN_BUILDS },
        },
        context,
      );
    },
  });
}

/** Only there if the config names build commands. */
export function buildStartTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_build_start',
    title: 'IDE builds: start',
    description: `Starts a build command of the config in the folder that you work in, and returns at once. There are: ${toolbox.builds.names.join(', ')}. Follow it with ide_build_status and ide_build_logs; ide_build_stop ends it.`,
    input: z.strictObject({ name: z.enum(toolbox.builds.names).describe('Name of the build command') }),
    output: z.object({ build: buildRecord }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    audit: 'security',
    run: async ({ name }, context) => ({ build: toBuildRecord(await toolbox.builds.start(name, context)) }),
  });
}

/** Only there with `ide_build_start`. */
export function buildStopTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_build_stop',
    title: 'IDE builds: stop',
    description:
      'Ends a build that ide_build_start has started in this gateway, with all that it has started: its processes are asked to end (SIGTERM), and killed after 5 seconds. Answers when they have ended. The build counts as cancelled.',
    input: z.strictObject({ buildId }),
    output: z.object({
      build: buildRecord,
      success: z.boolean().describe('True if this call ended it'),
      message: z.string().describe('How it ended, or why it was not ended'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    audit: 'security',
    run: async ({ buildId: id }, context) => {
      const { build, ...outcome } = await toolbox.builds.cancel(id, context);
      return { build: toBuildRecord(build), ...outcome };
    },
  });
}

/** Returns a build of the gateway; `undefined` if it has none of this id, so that the backend may be asked. */
async function ownBuild(toolbox: Toolbox, id: string, context: CallContext): Promise<BuildRecord | undefined> {
  if (bridgeFor(toolbox, context.client) === undefined) return undefined;
  try {
    return toBuildRecord(await toolbox.builds.get(id, context));
  } catch (error) {
    if (knowsNothing(error)) return undefined;
    throw error;
  }
}

/** A client whose project is not known still gets the builds of the backend. */
async function ownList(list: () => Promise<BuildRecord[]>): Promise<BuildRecord[]> {
  try {
    return await list();
  } catch (error) {
    if (knowsNothing(error)) return [];
    throw error;
  }
}

const ofBuild =
  (id: string) =>
  ({ data }: IncomingMessage): boolean =>
    at(data, 'buildId') === id || at(at(data, 'build'), 'id') === id;

/** A list names the repository that was asked for; one of all builds names none. */
const ofRepo =
  (repo: string) =>
  ({ data }: IncomingMessage): boolean =>
    (at(data, 'repo') ?? '') === repo;

function newest(builds: readonly BuildRecord[], limit: number): BuildRecord[] {
  const timeOf = ({ startedAt }: BuildRecord) => (startedAt === undefined ? 0 : Date.parse(startedAt));
  return builds.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, limit);
}
