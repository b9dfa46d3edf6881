import path from 'node:path';
import { z } from 'zod';

/** Names that can be in braces in the arguments. */
export const PLACEHOLDERS = ['prompt', 'sessionId', 'folder', 'maxCostUsd'] as const;

const MAX_ARGUMENT = 4_096;
const BRACES = /\{([A-Za-z]+)\}/g;

const argument = z
  .string()
  .max(MAX_ARGUMENT)
  .refine((text) => !text.includes('\0'), { message: 'must not have a NUL character' });

/** Names of members, from the outermost one on: `item.text`. */
const memberPath = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[^.]+(?:\.[^.]+)*$/, { message: 'must be names of members with dots between them, such as item.text' });

/** Options of the agent that answers chats, `workflows.ide.agent` in the config. */
export const agentOptions = z
  .strictObject({
    command: z
      .array(argument)
      .min(1)
      .max(100)
      .describe(
        'The program (a name to look up in PATH, or an absolute path) and its arguments, in which {prompt}, {sessionId}, {folder} and {maxCostUsd} are replaced. There is no shell',
      ),
    stdin: z
      .boolean()
      .default(false)
      .describe('Pass the prompt to the agent on standard input; otherwise {prompt} must be among its arguments'),
    format: z
      .enum(['text', 'json', 'jsonl'])
      .default('text')
      .describe(
        'Format of the standard output of the agent: the answer as text, a JSON object, or one JSON object per line',
      ),
    answerAt: memberPath.optional().describe('Place of the answer in the JSON, such as result or item.text'),
    where: z
      .record(memberPath, z.union([z.string(), z.number(), z.boolean()]))
      .default({})
      .describe('For jsonl: values that a line must have for its answer to count; the last such line wins'),
    errorAt: memberPath
      .optional()
      .describe(
        'Place in the JSON that has a value if the agent has failed; false, null and an empty text count as no value',
      ),
    costAt: memberPath.optional().describe('Place of the cost of the answer in the JSON, in US dollars'),
    maxCostUsd: z
      .number()
      .positive()
      .max(10_000)
      .optional()
      .describe(
        'An answer that has cost more is not used, and the agent is ended when it reports such a cost. Give the agent its own limit, too: {maxCostUsd}',
      ),
    timeoutMs: z
      .int()
      .min(100)
      .max(3_600_000)
      .default(300_000)
      .describe('The agent is ended when it has run so long, in milliseconds'),
    maxOutputBytes: z
      .int()
      .min(1_024)
      .max(64 * 1_048_576)
      .default(4 * 1_048_576)
      .describe('The agent is ended when it has written more, to standard output and standard error together'),
    historyMessages: z
      .int()
      .min(0)
      .max(500)
      .default(20)
      .describe('Most earlier messages of the chat that are put before the message'),
    historyCharacters: z
      .int()
      .min(0)
      .max(500_000)
      .default(32_000)
      .describe('Most characters of these earlier messages together'),
    maxAgents: z.int().min(1).max(64).default(2).describe('Most agents that run at the same time'),
    env: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'must be the name of a variable' }))
      .max(100)
      .default([])
      .describe(
        'Variables of the gateway that the agent gets, such as ANTHROPIC_API_KEY, besides PATH, HOME and the like',
      ),
  })
  .superRefine(({ command, stdin, format, answerAt, errorAt, costAt, maxCostUsd, env, where }, context) => {
    const fault = (message: string, ...at: (string | number)[]) =>
      context.addIssue({ code: 'custom', message, path: at });
    const [program = '', ...args] = command;
    if (!isProgram(program)) fault('must be a name that is looked for in PATH, or an absolute path', 'command', 0);
    for (const [index, text] of args.entries()) {
      const unknown = placeholdersIn(text).find((name) => !(PLACEHOLDERS as readonly string[]).includes(name));
      if (unknown !== undefined) fault(`{${unknown}} is not replaced: ${KNOWN}`, 'command', index + 1);
    }
    const names = args.flatMap(placeholdersIn);
    const hasPrompt = names.includes('prompt');
    if (hasPrompt === stdin) fault('the prompt goes either to {prompt} in an argument, or to stdin: true', 'command');
    if (names.includes('maxCostUsd') && maxCostUsd === undefined) fault('{maxCostUsd} needs maxCostUsd', 'command');
    if (maxCostUsd !== undefined && costAt === undefined) fault('maxCostUsd needs costAt', 'maxCostUsd');
    const isText = format === 'text';
    if (!isText && answerAt === undefined) fault(`format: ${format} needs answerAt`, 'answerAt');
    if (isText && [answerAt, errorAt, costAt].some((at) => at !== undefined))
      fault('answerAt, errorAt and costAt need format: json or jsonl', 'format');
    if (format !== 'jsonl' && Object.keys(where).length > 0) fault('where needs format: jsonl', 'where');
    for (const [index, name] of env.entries())
      if (isOurs(name)) fault(`${name} belongs to the gateway and is not passed on`, 'env', index);
  });

export type AgentOptions = z.output<typeof agentOptions>;

const KNOWN = `known are ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}`;

/** Returns the names in braces in an argument. */
function placeholdersIn(text: string): string[] {
  return Array.from(text.matchAll(BRACES), ([, name]) => name!);
}

/** A relative path would be another program in each project. */
function isProgram(text: string): boolean {
  if (text === '' || text.startsWith('-') || placeholdersIn(text).length > 0) return false;
  return path.basename(text) === text || path.isAbsolute(text);
}

/** Variables with which the gateway could be told to do something else, or which are its own. */
function isOurs(name: string): boolean {
  return name.toUpperCase().startsWith('VIADUCT_');
}
