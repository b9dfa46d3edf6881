import { z } from 'zod';
import { sandboxOf } from '../../../workspace/sandbox.ts';
import { type CallContext, defineTool, type ToolDefinition } from '../../define.ts';
import type { LaunchRequest } from '../launch.ts';
import { type Desk, RUNS } from './desk.ts';

const text = z.string().refine((value) => !value.includes('\0'), { message: 'must not have a NUL character' });
const variable = text.regex(/^[^=]+=/, { message: 'must be KEY=VALUE' });

export function startTool({ supervisor, workspace }: Desk): ToolDefinition {
  return defineTool({
    name: 'process_start',
    title: 'Process: start',
    description:
      'Start a new external process. Returns process ID for tracking. It is no shell command line: give a program, and its arguments one by one. What it writes is kept: see process_output. It is ended, with all that it has started, when your session ends.',
    input: z.object({
      command: text.min(1).describe('The executable to run: a name that is found in PATH, or a path'),
      args: z.array(text).optional().describe('Command-line arguments'),
      dir: z
        .string()
        .optional()
        .describe('Working directory, a folder of the workspace; the workspace itself if missing'),
      env: z.array(variable).optional().describe('Additional environment variables in KEY=VALUE format'),
    }),
    output: z.object({
      id: z.string().describe('Id of the process for the other tools'),
      pid: z.int().describe('Its id in the operating system'),
      command: z.string(),
      args: z.array(z.string()),
      startedAt: z.string(),
    }),
    annotations: RUNS,
    audit: 'security',
    run: async ({ command, args = [], dir = '.', env = [] }, context) => {
      const process = await inFolder(dir, context, (folder) =>
        supervisor.start(
          { command, args, folder, env: variablesIn(env) },
          { owner: context.client.id, signal: context.signal },
        ),
      );
      const { facts, pid, startedAt } = process;
      return { id: facts.id, pid, command, args, startedAt: startedAt.toISOString() };
    },
  });

  async function inFolder<T>(
    dir: string,
    context: CallContext,
    work: (folder: LaunchRequest['folder']) => Promise<T>,
  ): Promise<T> {
    const folder = await (await sandboxOf(context, workspace)).folder(dir);
    try {
      return await work(folder);
    } finally {
      await folder.close();
    }
  }
}

function variablesIn(env: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    env.map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)]),
  );
}
