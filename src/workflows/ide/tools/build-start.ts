import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../define.ts';
import type { IdeBuilds } from '../builds/builds.ts';

/** The tool that starts a build command of the config. To be listed only where there are any. */
export function buildStartTool({ names, start }: Pick<IdeBuilds, 'names' | 'start'>): ToolDefinition {
  return defineTool({
    name: 'ide_build_start',
    title: 'IDE: start a build',
    description: `Starts one of the builds that the config names, and goes on without waiting for it: ${names.join(', ')}. Follow it with ide_build_status and ide_build_logs.`,
    input: z.object({ name: z.string().min(1).describe('Name of the build') }),
    output: z.object({
      build: z.object({
        id: z.string(),
        repo: z.string(),
        branch: z.string(),
        status: z.string(),
        startedAt: z.string(),
      }),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    audit: 'security',
    run: async ({ name }, context) => {
      const { id, repo, branch, status, startedMs } = await start(name, context);
      return { build: { id, repo, branch, status, startedAt: new Date(startedMs).toISOString() } };
    },
  });
}
