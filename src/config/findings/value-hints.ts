import type { z } from 'zod';
import type { KeyProblem } from '../../core/settings/config-key.ts';
import { type ConfigKey, isAt } from '../keys/config-keys.ts';
import type { ConfigPath } from './finding.ts';
import { suggest } from './suggest.ts';

/** Returns what the key at a path says about a value that its schema refuses. */
export function explain(path: ConfigPath, input: unknown, keys: readonly ConfigKey[]): KeyProblem | undefined {
  const at = keys.filter(({ pattern }) => isAt(path, pattern));
  return at.map(({ facts }) => facts.explain?.(input)).find((problem) => problem !== undefined);
}

/** Returns what to do about a value of the wrong kind, if a habit or YAML itself leads to it. */
export function valueHint(
  issue: z.core.$ZodIssue,
  path: ConfigPath,
  input: unknown,
  keys: readonly ConfigKey[],
): string | undefined {
  if (input === undefined) return undefined;
  return variableHint(path, input, keys) ?? choiceHint(issue, input) ?? typeHint(issue, input);
}

function variableHint(path: ConfigPath, input: unknown, keys: readonly ConfigKey[]): string | undefined {
  if (typeof input !== 'string' || !input.includes('${')) return undefined;
  const isReplaced = keys.some(
    ({ pattern, facts }) => facts.takesVariables === true && (isAt(path, pattern) || isAt(path.slice(0, -1), pattern)),
  );
  if (isReplaced) return undefined;
  return 'variables are replaced only in command, args, env, cwd, url, headers, auth, tls and workspace of an upstream';
}

function choiceHint(issue: z.core.$ZodIssue, input: unknown): string | undefined {
  if (issue.code !== 'invalid_value' || typeof input !== 'string') return undefined;
  const choices = issue.values.filter((value) => typeof value === 'string');
  const meant = suggest(input, choices);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return issue.path[0] === 'enabledWorkflows' && choices.length > 0 ? `there are: ${choices.join(', ')}` : undefined;
}

function typeHint(issue: z.core.$ZodIssue, input: unknown): string | undefined {
  if (issue.code === 'invalid_value') return typeof issue.values[0] === 'number' ? numberHint(input) : undefined;
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'string') return textHint(input);
  if (issue.expected === 'boolean') return switchHint(input);
  if (issue.expected === 'array' && typeof input !== 'object') return 'in brackets: [a, b], or one "- " a line';
  return issue.expected === 'int' || issue.expected === 'number' ? numberHint(input) : undefined;
}

function textHint(input: unknown): string | undefined {
  if (input === null) return 'an empty text is "", and a text such as null or ~ must be in quotes';
  return typeof input === 'number' || typeof input === 'boolean' ? `in quotes it is text: "${input}"` : undefined;
}

function numberHint(input: unknown): string | undefined {
  return typeof input === 'string' && /^\d+$/.test(input) ? 'remove the quotes' : undefined;
}

function switchHint(input: unknown): string | undefined {
  const isSwitch = typeof input === 'string' && /^(yes|no|on|off|y|n|true|false)$/i.test(input);
  return isSwitch ? 'write true or false, without quotes' : undefined;
}
