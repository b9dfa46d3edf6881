import { z } from 'zod';
import { apiKey, serviceUrl } from '../addresses/service-url.ts';
import { configKey } from './config-key.ts';

/** The name of the backend that is the model of the calling client. The config cannot give it to another one. */
export const CLIENT_BACKEND = 'client';

const NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;
/** The time after which Node.js gives up a response by itself, in milliseconds. */
const LONGEST_SILENCE_MS = 300_000;

const milliseconds = (most: number) => z.int().min(100).max(most);

const backendOptions = z
  .strictObject({
    kind: configKey(z.enum(['ollama', 'openai', 'anthropic']).default('ollama'), {
      meaning:
        'API of the service: that of Ollama, that of OpenAI (also llama.cpp, LM Studio, vLLM, mlx), or that of Anthropic.',
      value: '`ollama`, `openai` or `anthropic`',
    }),
    url: configKey(serviceUrl.optional(), {
      meaning:
        'Address of the service. Ollama: by default OLLAMA_BASE_URL, or http://localhost:11434 without it. Anthropic: by default https://api.anthropic.com/v1. OpenAI: required, the part before /chat/completions, such as https://api.openai.com/v1.',
      value: 'url',
      byDefault: 'see [ML.md](ML.md)',
      takesVariables: true,
    }),
    model: configKey(z.string().min(1).max(200).optional(), {
      meaning: 'Model that answers if a call names none. A server that has only one model may need none.',
      value: 'text',
      byDefault: 'none',
    }),
    apiKey: configKey(apiKey.optional(), {
      meaning: 'Key of the service. Write it as `${NAME}`.',
      value: 'text',
      byDefault: 'none',
      takesVariables: true,
      secret: 'text',
    }),
    concurrency: configKey(z.int().min(1).max(100).default(2), {
      meaning: 'Maximum number of simultaneous requests of all clients. More requests wait.',
    }),
    firstTokenMs: configKey(milliseconds(LONGEST_SILENCE_MS).default(120_000), {
      meaning: 'Milliseconds until the first text must arrive. The service may have to load the model first.',
    }),
    idleMs: configKey(milliseconds(LONGEST_SILENCE_MS).default(60_000), {
      meaning: 'Milliseconds that may pass between two pieces of an answer.',
    }),
    timeoutMs: configKey(milliseconds(3_600_000).default(600_000), { meaning: 'Milliseconds for a whole answer.' }),
    maxTokens: configKey(z.int().min(1).max(1_000_000).optional(), {
      meaning: 'Maximum number of tokens of an answer if a call does not say. Anthropic: by default 4096.',
      byDefault: 'of the service',
    }),
  })
  .superRefine(({ kind, url }, context) => {
    if (kind !== 'openai' || url !== undefined) return;
    context.addIssue({ code: 'custom', path: ['url'], message: 'is needed with "kind: openai"' });
  });

/** The config's section `models`: the language models that workflows use. */
export const modelsOptions = z
  .strictObject({
    backends: configKey(
      // The pattern is for editors; the names are checked below, where the message can say more.
      z.record(z.string().meta({ pattern: NAME.source }), backendOptions).default({}),
      {
        meaning:
          'Services that run language models, each under a name of your choice. `client` always exists: the model of the calling client.',
        value: 'name → backend',
      },
    ),
    default: configKey(z.string().optional(), {
      meaning: 'Name of the backend that answers if a call names none; by default, the first one.',
      value: 'name',
      byDefault: 'the first one',
    }),
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
