import type { z } from 'zod';
import { SERVICE_SECRETS, SERVICES } from '../upstreams/upstream-variables.ts';
import { type ConfigPath, isMapping, matches } from './finding.ts';
import { suggest } from './suggest.ts';

/** What to do about a value of the wrong kind, where a habit or YAML itself leads to it. */
export function valueHint(issue: z.core.$ZodIssue, path: ConfigPath, input: unknown): string | undefined {
  if (input === undefined) return matches(path, 'schemaVersion') ? 'begin the file with "schemaVersion: 1"' : undefined;
  return hintAt(path, input) ?? variableHint(path, input) ?? choiceHint(issue, input) ?? typeHint(issue, input);
}

function hintAt(path: ConfigPath, input: unknown): string | undefined {
  if (matches(path, 'upstreams.*.args') && typeof input === 'string')
    return 'one item an argument: args: [-y, some-server]';
  if ((matches(path, 'upstreams.*.env') || matches(path, 'defaults.env')) && Array.isArray(input))
    return 'one line a variable: NAME: value';
  if ((matches(path, 'upstreams.*.headers') || matches(path, 'defaults.headers')) && Array.isArray(input))
    return 'one line a header: Name: value';
  if (matches(path, 'upstreams.*.command') && Array.isArray(input)) return 'put the program here, the rest in args';
  if (matches(path, 'upstreams.*') && !isMapping(input)) return 'an entry needs at least a command or a url';
  if (matches(path, 'upstreams') && Array.isArray(input))
    return 'each entry stands under its name: "name: { command: … }"';
  return undefined;
}

const EXPANDED = [
  'upstreams.*.command',
  'upstreams.*.args.*',
  'upstreams.*.env.*',
  'upstreams.*.cwd',
  'upstreams.*.url',
  'upstreams.*.workspace',
  'upstreams.*.headers.*',
  'upstreams.*.tls.*',
  'defaults.env.*',
  'defaults.cwd',
  'defaults.headers.*',
  'workspace.root',
  'workspace.roots.*',
  'workspace.clientFolders.*',
  'workflows.*.token',
  'workflows.*.builds.*.env.*',
  ...SERVICES.flatMap((name) => ['url', ...SERVICE_SECRETS].map((key) => `workflows.*.${name}.${key}`)),
  'models.backends.*.url',
  'models.backends.*.apiKey',
];

function variableHint(path: ConfigPath, input: unknown): string | undefined {
  if (typeof input !== 'string' || !input.includes('${')) return undefined;
  if (EXPANDED.some((pattern) => matches(path, pattern))) return undefined;
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
