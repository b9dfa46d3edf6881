import { defineWorkflow } from '../define.ts';
import { type LiveOptions, liveOptions } from './options.ts';

/** Live output over WebSocket (seed 001). */
export const liveWorkflow = defineWorkflow<LiveOptions>({
  name: 'live',
  description: 'A WebSocket on which programs follow the output of processes while it is produced',
  options: liveOptions,
  prefixes: [],
  toolNamesBegin: ['ws_start', 'ws_info'],
  load: async () => (await import('./workflow.ts')).createLive,
});
