import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { textProgress } from '../text-progress.ts';
import { ASKS, orFailed, orMissing, refused, type Toolbox } from './toolbox.ts';

/** In characters. */
export const MAX_PROMPT = 1_000_000;

export const backendArgument = z
  .string()
  .max(64)
  .optional()
  .describe('Name of the backend; ml_backends lists them. The default one if missing; client is your own model');

export function generateTool({ models }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ml_generate',
    title: 'Models: generate',
    description:
      'Has a configured language model answer a prompt. The answer arrives as progress too, if you ask for progress. ml_backends lists the backends.',
    input: z.strictObject({
      prompt: z.string().max(MAX_PROMPT).describe('The prompt; must not be empty'),
      backend: backendArgument,
      model: z.string().max(200).optional().describe('Model of the backend, instead of the configured one'),
      temperature: z.number().min(0).max(2).optional().describe("0 to 2; the backend's own default if missing"),
      max_tokens: z.int().min(0).optional().describe("Most tokens of the answer; 0 for the backend's own limit"),
    }),
    output: z.object({
      response: z.string(),
      backend: z.string().describe('The backend that answered'),
      model: z.string().optional().describe('The model that answered, if the backend says'),
    }),
    annotations: ASKS,
    audit: 'info',
    hasSecretArguments: true,
    run: async ({ prompt, backend, model, temperature, max_tokens: maxTokens }, context) => {
      if (prompt.trim() === '') throw refused('prompt cannot be empty');
      const request = {
        messages: [{ role: 'user' as const, content: prompt }],
        model: orMissing(model),
        temperature,
        maxTokens: maxTokens === 0 ? undefined : maxTokens,
      };
      const { signal, sampling: client } = context;
      const onText = textProgress((report) => context.progress(report));
      const generation = await orFailed('generate', async () =>
        (await models()).generate(orMissing(backend), request, { signal, client, onText }),
      );
      const { text, backend: used, model: answering } = generation;
      return { response: text, backend: used, ...(answering !== undefined && { model: answering }) };
    },
  });
}
