import { z } from 'zod';
import { configKey } from '../../../core/settings/config-key.ts';

const NAME = /^[A-Za-z0-9._-]{1,100}$/;
const MAX_TIMEOUT_MS = 24 * 3_600_000;

const text = z.string().refine((value) => !value.includes('\0'), { error: 'must not have a NUL character' });
const shown = text.min(1).max(200);

const buildCommand = z.strictObject({
  command: z
    .tuple([text.min(1)], text)
    .describe(
      'The program and its arguments, as separate texts, without a shell. The program is a name to look up in PATH, or a path',
    ),
  cwd: text
    .min(1)
    .default('.')
    .describe('The folder of the workspace that it runs in; the workspace itself if missing'),
  repo: shown
    .optional()
    .describe('Name of the repository that is built, for lists of builds; by default, the name of the git repository'),
  branch: shown.optional().describe('The branch that is built; the one that is checked out if missing'),
  timeoutMs: z
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS)
    .default(1_800_000)
    .describe('The build is ended, and counts as failed, when it has run for so long, in milliseconds'),
  env: configKey(z.record(z.string().regex(/^[^=\0]+$/), text).default({}), {
    meaning: 'Variables that are added to its environment',
    takesVariables: true,
    secret: 'variable',
  }),
});

/** Named build commands in the config, `workflows.ide.builds`. */
export const buildCommands = z
  .record(z.string().regex(NAME, { error: `the name of a build must match ${NAME.source}` }), buildCommand)
  .default({})
  .describe('Builds that clients may start by their names with ide_build_start; none of them if missing');

/** Number of builds that are kept, `workflows.ide.keepBuilds`. */
export const keepBuilds = z
  .int()
  .min(1)
  .max(1_000)
  .default(100)
  .describe('Number of ended builds that are kept on this machine, with their logs; older ones are removed');

export type BuildCommand = z.output<typeof buildCommand>;

/** The part of the options of workflow `ide` that is about builds. */
export interface BuildsOptions {
  readonly builds: Readonly<Record<string, BuildCommand>>;
  readonly keepBuilds: number;
}
