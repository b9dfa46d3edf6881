import { z } from 'zod';
import { processText, wholeNumber } from '../field-schemas.ts';

export const auditSchema = z
  .strictObject({
    enabled: z.boolean().default(true).describe('Whether a line is written for each call of a client.'),
    arguments: z
      .enum(['digest', 'redacted', 'off'])
      .default('digest')
      .describe('What a line has of the arguments: a SHA-256, their JSON without secrets and long texts, or nothing.'),
    file: processText
      .min(1)
      .optional()
      .describe('File of the lines; audit/audit.jsonl in $VIADUCT_HOME where it is missing.'),
    maxMegabytes: wholeNumber(1, 10_000).default(10).describe('Size at which the file is put aside.'),
    files: wholeNumber(2, 1_000).default(5).describe('How many files there are, the one that is written included.'),
    keepDays: wholeNumber(1, 10_000).default(30).describe('How long the calls of this machine stay in the database.'),
  })
  .prefault({})
  .describe('The audit: who has called what, and what became of it.');
