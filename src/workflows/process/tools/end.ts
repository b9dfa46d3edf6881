import { z } from 'zod';
import type { ManagedProcess } from '../../../process/managed/managed-process.ts';
import { wordsFor } from '../../../process/managed/process-words.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { ENDS, outcome, processId, type Toolbox } from './toolbox.ts';

export function stopTool({ supervisor, options }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'process_stop',
    title: 'Process: stop',
    description:
      'Ends a process and all that it has started: they are asked to end (SIGTERM), and killed if they take too long. Answers when they have ended.',
    input: z.object({ id: processId }),
    output: outcome,
    annotations: ENDS,
    audit: 'security',
    run: ({ id }, { client }) =>
      end(supervisor.get(id, client.id), async (process) => {
        await process.stop();
        const { state } = process;
        const wasKilled = state.name === 'killed' && state.signal === 'SIGKILL';
        return wasKilled ? `, because it did not end within ${options.graceMs} ms of SIGTERM` : '';
      }),
  });
}

export function killTool({ supervisor }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'process_kill',
    title: 'Process: kill',
    description:
      'Kills a process and all that it has started at once (SIGKILL), where process_stop takes too long or does not help.',
    input: z.object({ id: processId }),
    output: outcome,
    annotations: ENDS,
    audit: 'security',
    run: ({ id }, { client }) =>
      end(supervisor.get(id, client.id), async (process) => {
        await process.kill();
        return '';
      }),
  });
}

/** Ends a process. `ending` returns a description of how the process ended. */
async function end(
  process: ManagedProcess,
  ending: (process: ManagedProcess) => Promise<string>,
): Promise<z.input<typeof outcome>> {
  const { id } = process.facts;
  const before = process.state;
  if (before.name !== 'running') return { id, success: false, message: `${id} ${wordsFor(before)} before` };
  const remark = await ending(process);
  const after = process.state;
  const message = after.name === 'running' ? 'was told to end, and has not ended yet' : `${wordsFor(after)}${remark}`;
  return { id, success: true, message: `${id} ${message}` };
}
