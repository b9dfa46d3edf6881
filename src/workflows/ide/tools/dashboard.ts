import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import { at } from '../../../services/service-words.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { READS } from '../../define-project-tool.ts';
import { PERIODS, type Period } from '../dashboard/dashboard.ts';
import { askOrKnow } from './ask-backend.ts';
import { listOf } from './backend-answer.ts';
import { activityRecord, metricsRecord, overviewRecord, REMARKS } from './records.ts';
import { bridgeFor, type Toolbox } from './toolbox.ts';

const MAX_LIMIT = 200;
const USUAL_LIMIT = 20;

const overviewData = z.object({ overview: overviewRecord.omit({ bridgeOnline: true }) });
const activityData = z.object({ events: listOf(activityRecord) });
const metricsData = z.object({ period: z.string().optional(), metrics: metricsRecord });

const BACKEND = 'IDE backend';

export function overviewTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_dashboard_overview',
    title: 'IDE dashboard: overview',
    description:
      'Returns how many projects, servers, connected clients and recent builds there are, as far as you may see them. `sources` says what each figure counts.',
    input: z.strictObject({}),
    output: z.object({ overview: overviewRecord, ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: async (_args, context) => {
      const own = async () => {
        const { overview, sources } = await toolbox.dashboard.overview(context);
        return { overview: { ...overview, bridgeOnline: isOnline(toolbox) }, sources: { ...sources } };
      };
      const asked = askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'dashboard_overview' },
          answer: {
            asked: 'dashboard_overview',
            types: ['dashboard_overview'],
            concerns: () => true,
            data: overviewData,
          },
          toResult: ({ overview }) => ({
            overview: { ...overview, bridgeOnline: isOnline(toolbox) },
            sources: { overview: BACKEND },
          }),
          placeholder: own,
          own,
          ownSources: {},
        },
        context,
      );
      // Those who want to know how the backend does get an answer even then.
      return asked.catch(async (error: unknown) => {
        if (!isBackendFault(error)) throw error;
        return { ...(await own()), message: `${error.message}. These are the figures of the gateway itself` };
      });
    },
  });
}

export function activityTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_dashboard_activity',
    title: 'IDE dashboard: activity',
    description: 'Returns what happened last, the newest first: tool calls, and events that agents have recorded.',
    input: z.strictObject({
      limit: z.int().min(0).max(MAX_LIMIT).optional().describe(`Most events to return; ${USUAL_LIMIT} if absent or 0`),
    }),
    output: z.object({ events: z.array(activityRecord), ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: ({ limit: most = 0 }, context) => {
      const limit = most === 0 ? USUAL_LIMIT : most;
      const own = async () => {
        const { events, sources } = await toolbox.dashboard.activity(limit, context);
        return { events: [...events], sources: { ...sources } };
      };
      return askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'dashboard_activity', data: { limit: most } },
          answer: {
            asked: 'dashboard_activity',
            types: ['dashboard_activity'],
            concerns: () => true,
            data: activityData,
          },
          toResult: ({ events }) => ({ events: events.slice(0, limit), sources: { events: BACKEND } }),
          placeholder: own,
          own,
          ownSources: {},
        },
        context,
      );
    },
  });
}

export function metricsTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_dashboard_metrics',
    title: 'IDE dashboard: metrics',
    description:
      'Counts builds, chat sessions and chat messages of the last hour, day or week. `sources` says what each figure counts.',
    input: z.strictObject({
      period: z.enum(PERIODS).default('24h').describe('How far it looks back'),
    }),
    output: z.object({ period: z.string(), metrics: metricsRecord, ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: ({ period }, context) => {
      const own = async () => {
        const { metrics, sources } = await toolbox.dashboard.metrics(period, context);
        return { period, metrics, sources: { ...sources } };
      };
      return askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'dashboard_metrics', data: { period } },
          answer: {
            asked: 'dashboard_metrics',
            types: ['dashboard_metrics'],
            concerns: ({ data }) => at(data, 'period') === period,
            data: metricsData,
          },
          toResult: ({ metrics }) => ({ period: period as Period, metrics, sources: { metrics: BACKEND } }),
          placeholder: own,
          own,
          ownSources: {},
        },
        context,
      );
    },
  });
}

const isBackendFault = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && (error.code === 'IDE_FAILED' || error.code === 'OVERLOADED');

const isOnline = ({ bridge }: Toolbox): boolean => bridge?.isOnline ?? false;
