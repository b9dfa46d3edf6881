import { homedir } from 'node:os';
import { launcher } from '../../browser/visits/launcher.ts';
import { Visits, type VisitsOptions } from '../../browser/visits/visits.ts';
import type { CreateWorkflow, WorkflowContext } from '../define.ts';
import { browserEnvironment } from './browser-environment.ts';
import { ClientTurns } from './client-turns.ts';
import type { WebviewOptions } from './options.ts';
import { Screenshots } from './screenshots.ts';
import { clickTool, evalTool, typeTool } from './tools/act.ts';
import { connectTool, disconnectTool } from './tools/connect.ts';
import { fillTool } from './tools/fill.ts';
import { consoleTool, networkTool } from './tools/logs.ts';
import { navigateTool } from './tools/navigate.ts';
import { queryTool, snapshotTool, waitTool } from './tools/read.ts';
import { screenshotTool } from './tools/screenshot.ts';
import { tabsTool } from './tools/tabs.ts';
import type { Toolbox } from './tools/toolbox.ts';

const MAX_TABS = 20;

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
  const { options, workspace, guard, log } = context;
  const visits = new Visits(visitsOptions(context));
  const screenshots = new Screenshots();
  const toolbox: Toolbox = { visits, options, screenshots, turns: new ClientTurns(), workspace, guard };
  const tools = [...TOOLS, ...(options.eval ? [evalTool] : [])].map((tool) => tool(toolbox));
  return {
    tools: () => tools,
    resources: screenshots,
    start: () => undefined,
    onSessionEnded(client) {
      screenshots.forget(client);
      visits.onSessionEnded(client).catch((error: unknown) => log.warn({ error }, 'a browser could not be ended'));
    },
    stop: () => visits.stop(),
  };
};

function visitsOptions({
  options,
  env,
  home,
  reaper,
  loginPath,
  ownAddresses,
}: WorkflowContext<WebviewOptions>): VisitsOptions {
  const { browser, sandbox, allowHosts, onlyHosts, loopback, debugHosts, downloads, maxClients } = options;
  return {
    launch: launcher({
      browser,
      search: { platform: process.platform, env, homeFolder: homedir() },
      env: () => browserEnvironment(env, loginPath),
      home,
      reaper,
      sandbox,
      own: ownAddresses,
    }),
    addresses: { allowHosts, onlyHosts, loopback, own: ownAddresses },
    debugHosts,
    downloads,
    limits: { visits: maxClients, tabs: MAX_TABS },
    onEvent: (page, sentence) => page.events.note(sentence),
  };
}
