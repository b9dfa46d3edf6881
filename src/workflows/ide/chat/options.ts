import { z } from 'zod';
import { configKey } from '../../../core/settings/config-key.ts';
import { agentOptions } from '../agent/options.ts';

const modelOptions = z
  .strictObject({
    backend: configKey(z.string().min(1).max(200).optional(), {
      meaning: 'A backend of the section models; its default if missing',
      namesBackend: true,
    }),
    model: z.string().min(1).max(200).optional().describe("Overrides the backend's model"),
    system: z.string().min(1).max(20_000).optional().describe('Instructions for the model, before the conversation'),
    temperature: z.number().min(0).max(2).optional(),
    maxTokens: z.int().min(1).max(1_000_000).optional().describe('Most tokens of an answer'),
    historyMessages: z
      .int()
      .min(0)
      .max(500)
      .default(40)
      .describe('Most earlier messages of the chat that the model gets'),
    historyCharacters: z
      .int()
      .min(0)
      .max(500_000)
      .default(32_000)
      .describe('Most characters of these earlier messages together'),
  })
  .prefault({});

/** Options of chats among those of the workflow, `workflows.ide` in the config. */
export const chatShape = {
  answers: z
    .enum(['none', 'model', 'agent'])
    .default('none')
    .describe(
      'How messages of chats are answered: by a model of the section models, by a program that is started for each message, or not at all (none): other agents can read and answer them',
    ),
  model: modelOptions.describe('The model that answers'),
  agent: agentOptions.optional().describe('The agent that answers: a program that can run without asking its user'),
  messageCharacters: z.int().min(1).max(200_000).default(50_000).describe('Most characters of a message to a chat'),
  redaction: z
    .enum(['on', 'off'])
    .default('on')
    .describe('Remove keys, tokens and passwords from the texts of chats before they are stored and answered'),
  liveText: z
    .boolean()
    .default(false)
    .describe(
      'Include the texts of messages in the channel of a chat. Every program that may connect to the live output and knows the id of the chat can then read them',
    ),
} as const;

/** Adds what is wrong with the options together to the faults of the config. */
export function checkChat({ answers, agent }: Pick<ChatOptions, 'answers' | 'agent'>, context: z.RefinementCtx): void {
  if (answers !== 'agent' || agent !== undefined) return;
  const message = 'answers: agent needs agent.command';
  context.addIssue({ code: 'custom', message, path: ['agent'] });
}

/** The same options by themselves. */
export const chatOptions = z.strictObject(chatShape).superRefine(checkChat).prefault({});

export type ChatOptions = z.output<ReturnType<typeof shape>>;

/** For its type. */
function shape() {
  return z.strictObject(chatShape);
}
