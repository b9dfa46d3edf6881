import { z } from 'zod';
import { checkGlob } from '../../core/glob/parse-glob.ts';

const MAX_GLOB = 1_000;

/** An empty glob would match nothing without a word. */
const glob = z
  .string()
  .min(1)
  .max(MAX_GLOB, { error: `a glob of commands has at most ${MAX_GLOB} characters` })
  .superRefine(checkGlob);

const globs = z.array(glob);

/** Options of the workflow in the config, `workflows.process`. */
export const processOptions = z
  .strictObject({
    share: z
      .enum(['session', 'gateway'])
      .default('session')
      .describe('Owner of the processes: the client that started them (they end with its session), or all clients'),
    allow: globs
      .default(['*'])
      .describe('Commands that may be started: globs of names as found in PATH, or of whole paths'),
    deny: globs
      .default([])
      .describe(
        'Commands that may not be started; they win over allow, and hold for the path, the name and the target of a link alike',
      ),
    allowEnv: globs
      .default([])
      .describe(
        'Variables that clients may set although they decide which code a program loads or runs, such as PATH or PYTHONPATH: globs of names',
      ),
    graceMs: z
      .int()
      .min(0)
      .max(600_000)
      .default(5_000)
      .describe('Time from SIGTERM to SIGKILL when a process is stopped, in milliseconds'),
    outputBytes: z
      .int()
      .min(1_024)
      .max(64 * 1_048_576)
      .default(1_048_576)
      .describe('So many bytes of the newest output of each process are kept'),
    inputMs: z
      .int()
      .min(1)
      .max(600_000)
      .default(10_000)
      .describe('So long process_input waits for a process that does not read its input, in milliseconds'),
    maxProcesses: z.int().min(1).max(10_000).default(64).describe('So many processes may run at one time'),
    keepEnded: z
      .int()
      .min(0)
      .max(10_000)
      .default(100)
      .describe('So many processes that have ended are kept, with their output'),
  })
  .prefault({});

export type ProcessOptions = z.output<typeof processOptions>;
