import { z } from 'zod';
import { apiKey, serviceUrl } from '../addresses/service-url.ts';

/** Name of the backend that is the model of the calling client. The config cannot give it to another one. */
export const CLIENT_BACKEND = 'client';

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
/** Node.js gives up a response after this time by itself. */
const LONGEST_SILENCE_MS = 300_000;

const milliseconds = (most: number) => z.int().min(100).max(most);

const backendOptions = z
  .strictObject({
    kind: z
      .enum(['ollama', 'openai', 'anthropic'])
      .default('ollama')
      .describe(
        'API of the service: that of Ollama, that of OpenAI (also llama.cpp, LM Studio, vLLM, mlx), or that of Anthropic',
      ),
    url: serviceUrl
      .optional()
      .describe(
        'Address of the service; for Ollama by default OLLAMA_BASE_URL, else http://localhost:11434; for anthropic https://api.anthropic.com/v1. For openai, the part before /chat/completions, such as https://api.openai.com/v1',
      ),
    model: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Model that answers if a call names none; a server that has one model only may need none'),
    apiKey: apiKey.optional().describe('Key of the service; write it as ${NAME}'),
    concurrency: z
      .int()
      .min(1)
      .max(100)
      .default(2)
      .describe('Maximum number of simultaneous requests of all clients; others wait'),
    firstTokenMs: milliseconds(LONGEST_SILENCE_MS)
      .default(120_000)
      .describe('Milliseconds until the first text has to be there; a model may have to be loaded first'),
    idleMs: milliseconds(LONGEST_SILENCE_MS)
      .default(60_000)
      .describe('Milliseconds that may pass between two pieces of an answer'),
    timeoutMs: milliseconds(3_600_000).default(600_000).describe('Milliseconds for a whole answer'),
    maxTokens: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Most tokens of an answer if a call says nothing; for anthropic 4096 by default'),
  })
  .superRefine(({ kind, url }, context) => {
    if (kind !== 'openai' || url !== undefined) return;
    context.addIssue({ code: 'custom', path: ['url'], message: 'is needed with "kind: openai"' });
  });

/** The config's section `models`: the language models that workflows use. */
export const modelsOptions = z
  .strictObject({
    backends: z
      // The pattern is told to editors; the names are checked below, where the message can say more.
      .record(z.string().meta({ pattern: NAME.source }), backendOptions)
      .default({})
      .describe('Services that run language models, each under a name of your choice'),
    default: z
      .string()
      .optional()
      .describe('Name of the backend that answers if a call names none; otherwise the first one'),
  })
  .superRefine(({ backends, default: byDefault }, context) => {
    for (const name of Object.keys(backends)) {
      const message = problemOfName(name);
      if (message !== undefined) context.addIssue({ code: 'custom', path: ['backends', name], message });
    }
    if (byDefault === undefined || byDefault === CLIENT_BACKEND || Object.hasOwn(backends, byDefault)) return;
    const names = [...Object.keys(backends), CLIENT_BACKEND].join(', ');
    context.addIssue({
      code: 'custom',
      path: ['default'],
      message: `no backend has this name`,
      params: { hint: `there are: ${names}` },
    });
  })
  .prefault({})
  .describe('The language models that workflows use.');

function problemOfName(name: string): string | undefined {
  if (name === CLIENT_BACKEND) return '"client" is the model of the calling client: give this backend another name';
  return NAME.test(name) ? undefined : 'the name must have letters, digits, "_", "-" and "." only, at most 64 of them';
}

export type ModelsOptions = z.output<typeof modelsOptions>;
export type BackendOptions = z.output<typeof backendOptions>;
