import type { CreateWorkflow } from '../define.ts';
import { Influx } from './influx/influx.ts';
import type { MlOptions } from './options.ts';
import { backendsTool } from './tools/backends.ts';
import { generateTool } from './tools/generate.ts';
import { probeTool } from './tools/probe.ts';
import { scoreTool } from './tools/score.ts';
import { statusTool } from './tools/status.ts';
import type { Toolbox } from './tools/toolbox.ts';

const TOOLS = [generateTool, scoreTool, probeTool, statusTool, backendsTool];

export const createMl: CreateWorkflow<MlOptions> = ({ options, models, env }) => {
  const influx = new Influx(options.influx, env.INFLUX_TOKEN);
  const toolbox: Toolbox = { options, models, influx };
  const tools = TOOLS.map((tool) => tool(toolbox));
  return {
    tools: () => tools,
    start: () => undefined,
    stop: () => Promise.resolve(),
  };
};
