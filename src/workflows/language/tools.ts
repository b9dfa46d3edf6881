import { z } from 'zod';
import { LISTED_LANGUAGES, languageOf } from '../../workspace/languages.ts';
import { defineTool } from '../define.ts';

const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;

export const langDetect = defineTool({
  name: 'lang_detect',
  title: 'Language: detect',
  description:
    'Detects the programming language of a file by its name alone: the file need not exist. Unknown ones are "plaintext".',
  input: z.object({ path: z.string().describe('Path or name of the file') }),
  output: z.object({
    language: z.string().describe('Id of the language'),
    path: z.string().describe('The path as it was given'),
  }),
  annotations: READS,
  audit: 'info',
  run: async ({ path }) => ({ language: languageOf(path), path }),
});

export const langList = defineTool({
  name: 'lang_list',
  title: 'Language: list',
  description: 'Lists the main programming languages that lang_detect knows, with their file extensions.',
  input: z.object({}),
  output: z.object({
    languages: z.array(
      z.object({
        id: z.string().describe('Id, as lang_detect gives it'),
        name: z.string().describe('Name for people'),
        extensions: z.array(z.string()),
      }),
    ),
  }),
  annotations: READS,
  audit: 'info',
  run: async () => ({
    languages: LISTED_LANGUAGES.map((language) => ({ ...language, extensions: [...language.extensions] })),
  }),
});
