import type { CreateWorkflow } from '../define.ts';
import { LazyBuilds } from './lazy-builds.ts';
import type { ProcessOptions } from './options.ts';
import { OutputResources } from './resources.ts';
import { Supervisor } from './supervisor.ts';
import { killTool, stopTool } from './tools/end.ts';
import { inputTool } from './tools/input.ts';
import { listTool } from './tools/list.ts';
import { outputTool } from './tools/output.ts';
import { startTool } from './tools/start.ts';
import type { Toolbox } from './tools/toolbox.ts';

const TOOLS = [startTool, stopTool, killTool, listTool, outputTool, inputTool];

export const createProcesses: CreateWorkflow<ProcessOptions> = (context) => {
  const supervisor: Supervisor = new Supervisor({
    ...context,
    // A client that still holds the id of an earlier process must not reach another process with it.
    firstNumber: (context.handedOver as number | undefined) ?? 1,
    onListChanged: () => resources.onListChanged(),
    onOutput: (process) => resources.onOutput(process),
  });
  const resources = new OutputResources(supervisor, context);
  const { options, workspace, guard } = context;
  const builds = new LazyBuilds(context);
  const toolbox: Toolbox = { supervisor, builds, options, workspace, guard };
  const tools = TOOLS.map((tool) => tool(toolbox));
  return {
    tools: () => tools,
    resources,
    start: () => undefined,
    work: () => lastingWork(supervisor),
    handOver: () => supervisor.nextNumber,
    onSessionEnded: (client) => supervisor.onSessionEnded(client),
    async stop() {
      resources.stop();
      await supervisor.stop();
      await builds.stop();
    },
  };
};

/** Returns the processes that are meant to outlive their clients. */
function lastingWork(supervisor: Supervisor): readonly string[] {
  const running = supervisor.shared().filter(({ isRunning }) => isRunning);
  return running.map(({ facts }) => `process ${facts.id}`);
}
