import { z } from 'zod';
import { variableName } from '../../../process/environment.ts';
import { sandboxOf } from '../../../workspace/sandbox.ts';
import { type CallContext, defineTool, type ToolDefinition } from '../../define.ts';
import type { LaunchRequest } from '../launch.ts';
import { RUNS, type Toolbox } from './toolbox.ts';

const text = z.string().refine((value) => !value.includes('\0'), { message: 'must not have a NUL character' });
/** Names that no database and no list can do anything with are refused. */
const name = text.min(1).max(200);
const variable = text.regex(/^[^=]+=/, { message: 'must be KEY=VALUE' });

export function startTool({ supervisor, builds, options, workspace, guard }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'process_start',
    title: 'Process: start',
    description: `Starts a program without waiting for it to end. Pass the returned id to the other process tools. There is no shell: give the program and its arguments separately. Its output is kept for process_output. It is ended, with all processes that it has started, when ${options.share === 'session' ? 'your session' : 'the gateway'} ends.`,
    input: z.object({
      command: text.min(1).describe('The program: a name to look up in PATH, or a path'),
      args: z.array(text).optional().describe('Its arguments, one by one'),
      dir: z.string().optional().describe('The folder of the workspace to run in; the workspace itself if missing'),
      env: z.array(variable).optional().describe('Variables to add to its environment, each as KEY=VALUE'),
      build: z
        .strictObject({
          repo: name
            .optional()
            .describe('Name of the repository that is built; by default, the name of the git repository'),
          branch: name.optional().describe('The branch that is built; the one that is checked out if missing'),
        })
        .optional()
        .describe(
          'Records it as a build of the project of its folder: its output, without secrets, and how it ends are kept when it has ended, also over restarts. {} takes both names from git',
        ),
    }),
    output: z.object({
      id: z.string().describe('Id of the process for the other tools'),
      pid: z.int().describe('Its id in the operating system'),
      command: z.string(),
      args: z.array(z.string()),
      startedAt: z.string(),
      buildId: z
        .string()
        .optional()
        .describe('Id of the build for ide_build_status and ide_build_logs, where it is one'),
    }),
    annotations: RUNS,
    audit: 'security',
    run: async ({ command, args = [], dir = '.', env = [], build }, context) => {
      const { client, signal } = context;
      const process = await inFolder(dir, context, (folder) => {
        const request = { command, args, folder, env: variablesIn(env) };
        const record = build === undefined ? undefined : () => builds.begin(request, build, client);
        return supervisor.start(request, { owner: client.id, signal, record });
      });
      const { facts, pid, startedAt } = process;
      const { id, buildId } = facts;
      return { id, pid, command, args, startedAt: startedAt.toISOString(), ...(buildId !== undefined && { buildId }) };
    },
  });

  async function inFolder<T>(
    dir: string,
    context: CallContext,
    work: (folder: LaunchRequest['folder']) => Promise<T>,
  ): Promise<T> {
    const folder = await (await sandboxOf(context, workspace, guard())).folder(dir);
    try {
      return await work(folder);
    } finally {
      await folder.close();
    }
  }
}

function variablesIn(env: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    env.map((entry) => [variableName(entry.slice(0, entry.indexOf('='))), entry.slice(entry.indexOf('=') + 1)]),
  );
}
