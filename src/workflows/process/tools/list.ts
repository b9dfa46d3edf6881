import { z } from 'zod';
import type { ManagedProcess } from '../../../process/managed/managed-process.ts';
import { exitCodeOf } from '../../../process/managed/process-words.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { READS, type Toolbox } from './toolbox.ts';

const info = z.object({
  id: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  dir: z.string().describe('The folder that it runs in'),
  status: z
    .string()
    .describe('running; exited: by itself, see exitCode; killed: by a signal; failed: it could not be run'),
  pid: z.int(),
  exitCode: z.int().describe('0 while it runs, -1 where a signal ended it'),
  startedAt: z.string(),
  duration: z.int().describe('From its start to now, or to its end, in nanoseconds'),
});

export function listTool({ supervisor }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'process_list',
    title: 'Process: list',
    description:
      'Lists the processes that were started here: those that run and the last ones that have ended, or with running_only only the former.',
    input: z.object({
      running_only: z.boolean().optional().describe('Leave out those that have ended; false if missing'),
    }),
    output: z.object({ processes: z.array(info), total: z.int().describe('How many these are') }),
    annotations: READS,
    audit: 'info',
    run: async ({ running_only: isRunningOnly }, { client }) => {
      const listed = supervisor.list(client.id).filter(({ isRunning }) => isRunning || isRunningOnly !== true);
      return { processes: listed.map(infoOf), total: listed.length };
    },
  });
}

function infoOf({ facts, state, pid, startedAt, durationMs }: ManagedProcess): z.input<typeof info> {
  return {
    id: facts.id,
    command: facts.command,
    args: [...facts.args],
    dir: facts.dir,
    status: state.name,
    pid,
    exitCode: exitCodeOf(state),
    startedAt: startedAt.toISOString(),
    duration: Math.round(durationMs * 1e6),
  };
}
