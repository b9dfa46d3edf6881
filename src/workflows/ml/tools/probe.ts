import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import { CLIENT_BACKEND } from '../../../core/settings/models-options.ts';
import { type CallContext, defineTool, type ToolDefinition } from '../../define.ts';
import type { Probe } from '../probes/probe.ts';
import { CATEGORIES, PROBES, promptOf } from '../probes/probes.ts';
import { runProbes } from '../probes/run-probes.ts';
import { backendArgument } from './generate.ts';
import { ASKS, defaultBackend, listed, orFailed, orMissing, refused, type Toolbox } from './toolbox.ts';

const TEMPERATURE = 0.7;
const MAX_TOKENS = 2_048;
/** Probes of one run that may wait for a backend at one time: others get their turns in between. */
const CONCURRENCY = 4;

export function probeTool({ models }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ml_probe',
    title: 'Models: probe',
    description:
      'Tests what a model can do: asks it up to 23 questions with known answers, and says which it answered correctly. Takes minutes; reports each probe as progress. With backend client your user is asked once, before the run.',
    input: z.strictObject({
      backend: backendArgument,
      categories: z
        .string()
        .max(1_000)
        .optional()
        .describe(`Categories, separated by commas; all if missing: ${CATEGORIES.join(', ')}`),
    }),
    output: z.object({
      total: z.int().describe('Number of probes that ran'),
      results: z.array(
        z.object({
          id: z.string(),
          category: z.string(),
          response: z.string().describe("The model's text, or error: and why there is none"),
          expected: z.string().describe('The right answer'),
          passed: z.boolean(),
          durationMs: z
            .int()
            .describe('Until the end of the answer, with the time that it waited for its turn at the backend'),
        }),
      ),
      note: z.string().optional().describe('How the user was asked, for backend client'),
    }),
    annotations: ASKS,
    audit: 'info',
    run: async ({ backend, categories = '' }, context) => {
      const probes = probesOf(categories);
      const open = await models();
      const name = orMissing(backend) ?? defaultBackend(open, context);
      const note = name === CLIENT_BACKEND ? await askUser(probes.length, context) : undefined;
      const { signal, sampling: client } = context;
      const results = await orFailed('probe', () =>
        runProbes({
          probes,
          concurrency: concurrencyOf(name, context),
          signal,
          ask: (probe, ended) => open.generate(orMissing(name), requestOf(probe), { signal: ended, client }),
          onResult: ({ id, passed }, done) =>
            context.progress({
              progress: done,
              total: probes.length,
              message: `${id} ${passed ? 'passed' : 'failed'}`,
            }),
        }),
      );
      return { total: results.length, results, ...(note !== undefined && { note }) };
    },
  });
}

function probesOf(categories: string): readonly Probe[] {
  const wanted = listed(categories);
  const unknown = wanted.find((category) => !CATEGORIES.includes(category));
  if (unknown !== undefined) throw refused(`no category is called "${unknown}": there are ${CATEGORIES.join(', ')}`);
  return wanted.length === 0 ? PROBES : PROBES.filter(({ category }) => wanted.includes(category));
}

function requestOf(probe: Probe) {
  return {
    messages: [{ role: 'user' as const, content: promptOf(probe) }],
    temperature: TEMPERATURE,
    maxTokens: MAX_TOKENS,
  };
}

/**
 * A modern client gets all questions in one answer: clients end a call that asks them in more than ten rounds. A legacy
 * client gets one at a time, since it may put each before its user.
 */
function concurrencyOf(backend: string, { client }: CallContext): number {
  if (backend !== CLIENT_BACKEND) return CONCURRENCY;
  return client.era === 'modern' ? PROBES.length : 1;
}

/**
 * Asks the user of the client before its model gets many prompts. Returns what was done.
 * @throws GatewayError when the user does not want it
 */
async function askUser(count: number, context: CallContext): Promise<string | undefined> {
  if (count < 2 || !context.sampling.canSample) return undefined;
  if (!context.canElicit)
    return `Your client could not ask its user before the run; it may have asked about each of the ${count} prompts`;
  const { action, content } = await context.elicit({
    message: `ml_probe sends ${count} prompts to your own model, with up to ${MAX_TOKENS} tokens for each answer. They may cost money. Run it?`,
    requestedSchema: {
      type: 'object',
      properties: { run: { type: 'boolean', title: 'Run', description: `Send ${count} prompts`, default: true } },
      required: ['run'],
    },
  });
  if (action === 'accept' && content.run !== false) return `The user was asked once, before the ${count} prompts`;
  throw new GatewayError('INPUT_REFUSED', 'The user does not want the probes to run with their own model', {
    effect: 'none',
  });
}
