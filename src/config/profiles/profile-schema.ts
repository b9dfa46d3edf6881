import { z } from 'zod';
import type { Permissions } from '../../core/access/permissions.ts';
import { globs } from '../field-schemas.ts';

export const PROFILE_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

const names = (what: string) =>
  z.array(z.string()).optional().describe(`${what} that its clients see; all of them where this is absent.`);

/** What clients see, of a profile or of a token. */
export const accessShape = {
  upstreams: names('Upstreams'),
  workflows: names('Workflows, and the upstreams that they bring along,'),
  tools: z
    .strictObject({
      allow: globs(['*'], 'Globs of tool names, as clients know them, that its clients see.'),
      deny: globs([], 'Globs of tool names that its clients never see; they win over `allow`.'),
    })
    .prefault({})
    .describe('Which tools of these its clients see.'),
  projects: globs(
    ['*'],
    'Globs of project ids: its clients use checkpoints, tasks and metrics of these projects only.',
  ),
};

const profileSchema = z.strictObject(accessShape);

export const profilesSchema = z
  // The pattern is told to editors only, as with the keys of upstreams: see `checkProfiles`.
  .record(z.string().meta({ pattern: PROFILE_NAME.source }), profileSchema)
  .default({})
  .describe(
    'What clients see that come by `/mcp/<profile>` or `viaduct stdio --profile`; `default` is for all others.',
  );

export type ProfileFile = z.output<typeof profileSchema>;

export function toAccess({ upstreams, workflows, tools, projects }: ProfileFile): Permissions {
  return {
    upstreams: upstreams ?? 'all',
    workflows: workflows ?? 'all',
    tools,
    ...(!projects.includes('*') && { projects: [projects] }),
  };
}
