import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import { type CallContext, defineTool, type ToolDefinition } from '../../define.ts';
import { heuristicScores } from '../heuristic/heuristic-scores.ts';
import { judged, judgeMessages, type SemanticScores } from '../semantic.ts';
import { MAX_PROMPT } from './generate.ts';
import { ASKS, listed, orFailed, refused, type Toolbox } from './toolbox.ts';

const SUITES = ['heuristic', 'semantic', 'content'];
const TEMPERATURE = 0.1;

const score = z.int().min(1).max(10);
const count = z.int().min(0);

export function scoreTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ml_score',
    title: 'Models: score',
    description:
      'Scores an answer to a prompt: heuristic counts signs in the answer without a model, semantic asks the configured judge model.',
    input: z.strictObject({
      prompt: z.string().max(MAX_PROMPT).describe('The prompt; must not be empty'),
      response: z.string().max(MAX_PROMPT).describe('The answer to score; must not be empty'),
      suites: z
        .string()
        .max(200)
        .optional()
        .describe('Suites, separated by commas: heuristic, semantic; heuristic if missing. content is not supported'),
    }),
    output: z.object({
      heuristic: z
        .object({
          compliance_markers: count.describe('Phrases of refusal and caution'),
          formulaic_preamble: count.describe('1 if it begins with a stock phrase'),
          first_person: count.describe('Sentences in which the author speaks of itself'),
          creative_form: count.describe('Signs of a poem, a story, and images'),
          engagement_depth: count.describe('Structure, ethical and technical words, length'),
          emotional_register: count.describe('Words of feeling, at most 10'),
          degeneration: count.describe('Repeated sentences: 0, 1, 3 or 5; 10 if the answer is empty'),
          empty_broken: count.describe('1 if the answer is empty or broken'),
          lek_score: z.number().describe('Sum of the above, weighted'),
        })
        .optional(),
      semantic: z
        .object({
          sovereignty: score,
          ethical_depth: score,
          creative_expression: score,
          self_concept: score,
          reasoning: z.string().optional(),
        })
        .optional(),
      content: z.record(z.string(), z.unknown()).optional().describe('Never there: this suite is refused'),
    }),
    annotations: ASKS,
    audit: 'info',
    hasSecretArguments: true,
    run: async ({ prompt, response, suites = '' }, context) => {
      if (prompt.trim() === '' || response.trim() === '') throw refused('prompt and response cannot be empty');
      const wanted = wantedSuites(suites);
      if (wanted.includes('content'))
        throw refused('the content suite is not supported by ml_score: it needs the prompts of ml_probe');
      return {
        ...(wanted.includes('heuristic') && { heuristic: heuristicScores(response) }),
        ...(wanted.includes('semantic') && { semantic: await semantic(toolbox, { prompt, response }, context) }),
      };
    },
  });
}

function wantedSuites(text: string): readonly string[] {
  const wanted = listed(text);
  const unknown = wanted.find((suite) => !SUITES.includes(suite));
  if (unknown !== undefined) throw refused(`no suite is called "${unknown}": there are ${SUITES.join(', ')}`);
  return wanted.length === 0 ? ['heuristic'] : wanted;
}

async function semantic(
  { options: { judge }, models }: Toolbox,
  pair: { readonly prompt: string; readonly response: string },
  { signal, sampling: client }: CallContext,
): Promise<SemanticScores> {
  if (judge === undefined)
    throw new GatewayError(
      'MODEL_FAILED',
      'semantic scoring requires a judge backend: name one as workflows.ml.judge in the config',
    );
  const request = { messages: judgeMessages(pair), model: judge.model, temperature: TEMPERATURE };
  const { text } = await orFailed('semantic score', async () =>
    (await models()).generate(judge.backend, request, { signal, client }),
  );
  return judged(text);
}
