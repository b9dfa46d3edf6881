import { z } from 'zod';
import type { Permissions } from '../../core/access/permissions.ts';
import { configKey } from '../../core/settings/config-key.ts';
import { globs } from '../field-schemas.ts';

export const PROFILE_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

const names = (what: string) =>
  configKey(z.array(z.string()).optional(), {
    meaning: `${what} that its clients see; by default, all of them.`,
    value: 'list of names',
  });

/** The permissions of clients in a profile or a token. */
export const accessShape = {
  upstreams: names('Upstreams'),
  workflows: names('Workflows, with the upstreams that they bring along,'),
  tools: z
    .strictObject({
      allow: configKey(globs(['*']), {
        meaning: 'Globs of tool names, as clients know them (`github_get_me`), that its clients see.',
        value: 'list of globs',
      }),
      deny: configKey(globs([]), {
        meaning: 'Globs of tool names that its clients never see. They win over `allow`.',
        value: 'list of globs',
      }),
    })
    .prefault({})
    .describe('Which tools of these its clients see.'),
  projects: configKey(globs(['*']), {
    meaning: 'Globs of project ids. Its clients can use checkpoints, tasks and metrics of these projects only.',
    more: 'See [CHECKPOINTS.md](CHECKPOINTS.md#projects-of-a-token).',
    value: 'list of globs',
  }),
};

const profileSchema = z.strictObject(accessShape);

/** The section `profiles`. */
export const profilesSchema = configKey(
  z
    // The pattern is for editors only, as with the names of upstreams: see `checkProfiles`.
    .record(z.string().meta({ pattern: PROFILE_NAME.source }), profileSchema)
    .default({}),
  {
    meaning:
      'Limits what clients see if they connect with `/mcp/<profile>` or `viaduct stdio --profile`. The profile `default` applies to all other clients.',
    more: 'See below.',
    value: 'name → profile',
  },
);

export type ProfileFile = z.output<typeof profileSchema>;

/** Returns the permissions that a profile or a token gives. */
export function toAccess({ upstreams, workflows, tools, projects }: ProfileFile): Permissions {
  return {
    upstreams: upstreams ?? 'all',
    workflows: workflows ?? 'all',
    tools,
    ...(!projects.includes('*') && { projects: [projects] }),
  };
}
