import { z } from 'zod';
import { apiKey, serviceUrl } from '../addresses/service-url.ts';
import { configKey } from './config-key.ts';

/** The section `embeddings` of a workflow that searches: the service that turns texts into vectors. */
export const embeddingsOptions = z
  .strictObject({
    kind: z
      .enum(['ollama', 'openai'])
      .default('ollama')
      .describe('API of the service: that of Ollama, or that of OpenAI, which many services offer'),
    url: configKey(serviceUrl.optional(), {
      meaning:
        'Address of the service; for Ollama by default OLLAMA_BASE_URL, else http://localhost:11434. For openai, the part before /embeddings, such as https://api.openai.com/v1',
      takesVariables: true,
    }),
    model: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Model for embeddings; for Ollama by default OLLAMA_EMBEDDING_MODEL, else nomic-embed-text'),
    dimensions: z
      .int()
      .min(1)
      .max(16_384)
      .optional()
      .describe('Length of the vectors. Others are refused; openai is asked for this length'),
    apiKey: configKey(apiKey.optional(), {
      meaning: 'Sent as a bearer token; write it as ${NAME}',
      takesVariables: true,
      secret: 'text',
    }),
    concurrency: z.int().min(1).max(100).default(4).describe('Maximum number of simultaneous requests'),
  })
  .superRefine(({ kind, ...options }, context) => {
    if (kind === 'ollama') return;
    for (const name of ['url', 'model'] as const) {
      if (options[name] !== undefined) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'is needed with "kind: openai"' });
    }
  });

export type EmbeddingsOptions = z.output<typeof embeddingsOptions>;
