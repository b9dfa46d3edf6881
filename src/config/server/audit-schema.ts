import { z } from 'zod';
import { configKey } from '../../core/settings/config-key.ts';
import { processText, wholeNumber } from '../field-schemas.ts';
import { auditFileProblem } from './log-file.ts';

/** The section `audit`. */
export const auditSchema = z
  .strictObject({
    enabled: configKey(z.boolean().default(true), { meaning: 'Write a line for each call of a client.' }),
    arguments: configKey(z.enum(['digest', 'redacted', 'off']).default('digest'), {
      meaning: 'How a line records the arguments: as a SHA-256, as JSON without secrets and long texts, or not at all.',
    }),
    file: configKey(processText.min(1).optional(), {
      meaning: 'File of the lines; by default `audit/audit.jsonl` in `$VIADUCT_HOME`.',
      more: 'Relative paths start at the folder of the config, `~/` is your home folder. A missing folder is created.',
      value: 'file',
      byDefault: 'none',
      takesVariables: true,
      rule: auditFileProblem,
    }),
    maxMegabytes: configKey(wholeNumber(1, 10_000).default(10), { meaning: 'Size at which the file is rotated.' }),
    files: configKey(wholeNumber(2, 1_000).default(5), {
      meaning: 'Number of files that are kept, including the one that is written.',
      more: 'Up to four times as many while the database cannot take their lines.',
    }),
    keepDays: configKey(wholeNumber(1, 10_000).default(30), {
      meaning: 'Days for which the calls of this machine stay in the database.',
    }),
  })
  .prefault({})
  .describe('The audit: who called what, and with which result.');
