import { Visits } from '../../browser/visits/visits.ts';
import type { CreateWorkflow } from '../define.ts';
import type { WebviewOptions } from './options.ts';
import { Screenshots } from './screenshots.ts';
import { clickTool, evalTool, typeTool } from './tools/act.ts';
import { connectTool, disconnectTool } from './tools/connect.ts';
import type { Desk } from './tools/desk.ts';
import { fillTool } from './tools/fill.ts';
import { consoleTool, networkTool } from './tools/logs.ts';
import { navigateTool } from './tools/navigate.ts';
import { queryTool, snapshotTool, waitTool } from './tools/read.ts';
import { screenshotTool } from './tools/screenshot.ts';
import { tabsTool } from './tools/tabs.ts';

const TOOLS = [
  connectTool,
  disconnectTool,
  navigateTool,
  snapshotTool,
  clickTool,
  typeTool,
  fillTool,
  queryTool,
  waitTool,
  consoleTool,
  networkTool,
  screenshotTool,
  tabsTool,
];

export const createWebview: CreateWorkflow<WebviewOptions> = (context) => {
  const { options, workspace, guard } = context;
  const visits = new Visits(context);
  const screenshots = new Screenshots();
  const desk: Desk = { visits, options, screenshots, workspace, guard };
  const tools = [...TOOLS, ...(options.eval ? [evalTool] : [])].map((tool) => tool(desk));
  return {
    tools: () => tools,
    resources: screenshots,
    start: () => undefined,
    onSessionEnded(client) {
      screenshots.forget(client);
      visits.onSessionEnded(client);
    },
    stop: () => visits.stop(),
  };
};
