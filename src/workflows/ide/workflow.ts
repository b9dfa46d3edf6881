import { openCheckpointStore } from '../../store/checkpoints/open-checkpoint-store.ts';
import type { Database } from '../../store/database/database.ts';
import { openEventStore } from '../../store/events/open-event-store.ts';
import { knownProjects } from '../../store/projects/known-projects.ts';
import type { CreateWorkflow, ToolDefinition, WorkflowContext } from '../define.ts';
import type { Bridge } from './bridge/bridge.ts';
import { IdeBridge } from './bridge/ide-bridge.ts';
import { ownDashboard } from './dashboard/own-dashboard.ts';
import type { IdeOptions } from './options.ts';
import { createParts, type Parts } from './parts.ts';
import { buildListTool, buildLogsTool, buildStartTool, buildStatusTool, buildStopTool } from './tools/builds.ts';
import { chatHistoryTool, chatSendTool, planStatusTool, sessionCreateTool, sessionListTool } from './tools/chat.ts';
import { activityTool, metricsTool, overviewTool } from './tools/dashboard.ts';
import type { Toolbox } from './tools/toolbox.ts';

const TOOLS = [
  chatSendTool,
  chatHistoryTool,
  sessionListTool,
  sessionCreateTool,
  planStatusTool,
  buildStatusTool,
  buildListTool,
  buildLogsTool,
  overviewTool,
  activityTool,
  metricsTool,
];

export const createIde: CreateWorkflow<IdeOptions> = (context) => {
  const database = context.openDatabase();
  return ideWith(createParts(context, database), context, database);
};

/** Returns the workflow with these sources of chats and builds, which it stops in the end. */
export function ideWith(
  parts: Parts,
  context: WorkflowContext<IdeOptions>,
  database: Database,
): ReturnType<CreateWorkflow> {
  const { chat, builds } = parts;
  const bridge = bridgeOf(context, chat);
  const { dashboard, close } = dashboardOf(parts, context, database);
  const tools = toolsOf({ bridge, chat, builds, dashboard });
  return {
    tools: () => tools,
    start: () => bridge?.start(),
    async stop() {
      await Promise.all([bridge?.stop(), chat.stop(), builds.stop()]);
      await close();
    },
  };
}

function toolsOf(toolbox: Toolbox): ToolDefinition[] {
  const start = toolbox.builds.names.length > 0 ? [buildStartTool, buildStopTool] : [];
  return [...TOOLS, ...start].map((tool) => tool(toolbox));
}

function bridgeOf({ options, live, log }: WorkflowContext<IdeOptions>, chat: Parts['chat']): Bridge | undefined {
  const { url, ...rest } = options;
  const isOwnChat = (sessionId: string) => chat.has(sessionId);
  return url === undefined ? undefined : new IdeBridge({ url, ...rest, live, log, isOwnChat });
}

function dashboardOf(parts: Parts, { gateway, home }: WorkflowContext<IdeOptions>, database: Database) {
  const [events, checkpoints] = [openEventStore({ database, home }), openCheckpointStore({ database })];
  const dashboard = ownDashboard({
    ...parts,
    gateway,
    events,
    checkpoints,
    knownProjects: () => knownProjects(database),
    now: Date.now,
  });
  return { dashboard, close: () => Promise.all([events.close(), checkpoints.close()]) };
}
