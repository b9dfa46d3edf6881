import { z } from 'zod';
import { apiKey, serviceUrl } from '../../core/addresses/service-url.ts';
import { configKey } from '../../core/settings/config-key.ts';
import { embeddingsOptions } from '../../core/settings/embeddings-options.ts';

/** The name of a collection, as Qdrant has them, and as a path of its API can name them. */
export const collectionName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,127}$/, {
  error: 'must have letters, digits, "_", "-" and "." only, at most 128 of them',
});

/** Options of the workflow in the config, `workflows.rag`. */
export const ragOptions = z
  .strictObject({
    qdrant: z
      .strictObject({
        url: configKey(serviceUrl.default('http://localhost:6333'), {
          meaning: 'Where its REST API is; https:// for TLS. Not the port of gRPC, 6334',
          takesVariables: true,
        }),
        apiKey: configKey(apiKey.optional(), {
          meaning: 'Its key; write it as ${NAME}',
          takesVariables: true,
          secret: 'text',
        }),
      })
      .optional()
      .describe('Keeps the collections in Qdrant, which needs embeddings; without it, in the database of the gateway'),
    embeddings: embeddingsOptions
      .optional()
      .describe('Service for search by meaning; without it, texts are found by words'),
    collection: collectionName.default('hostuk-docs').describe('Used if a call names no collection'),
    threshold: z
      .number()
      .min(-1)
      .max(1)
      .default(0.5)
      .describe('Least cosine similarity of a result; applies only with embeddings'),
  })
  .superRefine(({ qdrant, embeddings }, context) => {
    if (qdrant === undefined || embeddings !== undefined) return;
    const message = 'is needed for Qdrant, which finds vectors only; "embeddings: {}" is Ollama on this machine';
    context.addIssue({ code: 'custom', path: ['embeddings'], message });
  })
  .prefault({});

export type RagOptions = z.output<typeof ragOptions>;
