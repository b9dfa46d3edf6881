import { z } from 'zod';
import { GatewayError } from '../../core/errors.ts';
import type { EventStore } from '../../core/stores/event-store.ts';
import { storableText } from '../../core/stores/storable-text.ts';
import { lookBack, parseLookback } from '../../core/text/lookback.ts';
import { type CallingClient, defineTool, type ToolDefinition } from '../define.ts';
import { mayUse, requireProject } from '../project-access.ts';
import { type MetricEvent, tidy, toStored, whyNoLine } from './metric-event.ts';
import { summarise } from './summary.ts';
import { timestampNow } from './timestamp.ts';

const DEFAULT_SINCE = '7d';

/** `onRecorded` gets each event once it is stored. */
export function metricsRecord(store: EventStore, onRecorded: (event: MetricEvent) => Promise<void>): ToolDefinition {
  return defineTool({
    name: 'metrics_record',
    title: 'Metrics: record',
    description:
      'Records an event of your work, such as a build, a scan or a finished task, with any additional data. metrics_query counts events.',
    input: z.object({
      type: z.string().describe('Kind of event, such as "build"; must not be empty'),
      agent_id: z.string().optional().describe('Id of the agent'),
      repo: z.string().optional().describe('Name of the repository that the event is about'),
      data: z.looseObject({}).optional().describe('Anything else about the event'),
    }),
    output: z.object({
      success: z.boolean(),
      timestamp: z.string().describe('When it was recorded (RFC 3339)'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    audit: 'info',
    hasExactNumbers: true,
    run: async (args, { client }) => {
      if (args.type === '') throw invalid('metrics_record', 'type must not be empty: say what kind of event it is');
      requireRepo(client, args.repo);
      const event = await record(store, args);
      await onRecorded(event);
      return { success: true, timestamp: event.timestamp };
    },
  });
}

interface Recorded {
  readonly type: string;
  readonly agent_id?: string | undefined;
  readonly repo?: string | undefined;
  readonly data?: object | undefined;
}

async function record(
  store: EventStore,
  { type, agent_id = '', repo = '', data = {} }: Recorded,
): Promise<MetricEvent> {
  for (;;) {
    const event = tidy({ type, timestamp: timestampNow(), agent_id, repo, data });
    const obstacle = whyNoLine(event);
    if (obstacle !== undefined) throw invalid('metrics_record', obstacle);
    // Otherwise another client has recorded the same at the same nanosecond.
    if ((await store.add([toStored(event)])) === 1) return event;
  }
}

const counts = z.array(z.object({ key: z.string(), count: z.int() }));

export function metricsQuery(store: EventStore): ToolDefinition {
  return defineTool({
    name: 'metrics_query',
    title: 'Metrics: query',
    description:
      'Counts the recorded events of a time span by type, repository and agent, the most frequent first, and shows the 10 newest.',
    input: z.object({
      since: z
        .string()
        .optional()
        .describe(`How far to look back: days, hours or minutes, as 7d, 24h or 30m; ${DEFAULT_SINCE} if missing`),
    }),
    output: z.object({
      total: z.int().describe('Events in the time span'),
      by_type: counts,
      by_repo: counts,
      by_agent: counts,
      events: z
        .array(
          z.object({
            type: z.string(),
            timestamp: z.string().describe('RFC 3339'),
            agent_id: z.string().optional(),
            repo: z.string().optional(),
          }),
        )
        .describe('The 10 newest, newest first'),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'info',
    run: async ({ since }, { client }) => {
      const span = parseLookback(since || DEFAULT_SINCE);
      if (!span.ok) throw invalid('metrics_query', `since: ${span.reason}`);
      return summarise(
        store,
        lookBack(span.ms),
        mayUse(client, undefined) ? undefined : (repo) => mayUse(client, repo),
      );
    },
  });
}

/** @throws GatewayError when a client may not record events of a repository, or without one */
function requireRepo(client: CallingClient, repo = ''): void {
  // As it is stored, since the answer to metrics_query goes by that.
  const stored = storableText(repo);
  if (stored === '') requireProject(client, undefined, 'events without a repo');
  else requireProject(client, stored, `events of the repo ${stored}`);
}

function invalid(tool: string, reason: string): GatewayError {
  return new GatewayError('INVALID_ARGUMENTS', `${tool}: ${reason}`, { effect: 'none' });
}
