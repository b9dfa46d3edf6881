import type { CreateWorkflow } from '../define.ts';
import { LiveOutput } from './live-output.ts';
import type { LiveOptions } from './options.ts';
import { infoTool, startTool } from './tools.ts';

export const createLive: CreateWorkflow<LiveOptions> = ({ options, live: feed, log, handedOver }) => {
  // Nothing else of this workflow is handed over.
  const before = handedOver as LiveOutput | undefined;
  const output = new LiveOutput({ options, feed, log });
  const tools = [startTool(output), infoTool(output)];
  return {
    tools: () => tools,
    start: () => output.resume(before),
    stop: () => output.stop(),
    handOver: () => output,
  };
};
