import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../define.ts';
import type { ManagedProcess } from '../managed-process.ts';
import { exitCodeOf } from '../process-words.ts';
import { type Desk, READS } from './desk.ts';

const info = z.object({
  id: z.string(),
  command: z.string(),
  args: z.array(z.string()),
  dir: z.string().describe('Working directory'),
  status: z
    .string()
    .describe('running; exited: by itself, see exitCode; killed: by a signal; failed: it could not be run'),
  pid: z.int(),
  exitCode: z.int().describe('0 while it runs, -1 where a signal ended it'),
  startedAt: z.string(),
  duration: z.int().describe('From its start to now, or to its end, in nanoseconds'),
});

export function listTool({ supervisor }: Desk): ToolDefinition {
  return defineTool({
    name: 'process_list',
    title: 'Process: list',
    description:
      'List all managed processes. Use running_only=true for only active processes. Of those that have ended, the last ones are kept.',
    input: z.object({
      running_only: z.boolean().optional().describe('Return only actively running processes; default false'),
    }),
    output: z.object({ processes: z.array(info), total: z.int().describe('Number of records returned') }),
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
