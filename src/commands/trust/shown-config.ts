import { stringify } from 'yaml';
import { isMapping, valueAt } from '../../config/findings/finding.ts';
import { escaped } from '../../core/text/escaped.ts';
import { shown } from '../terminal/shown-word.ts';

/**
 * Shows a config to the person who decides whether to trust it: everything that it says, with nothing in it that a
 * terminal would hide, and at the end what it runs. Nothing is masked: what cannot be seen cannot be judged.
 * @param value the config as it was read, before variables are put in
 */
export function showConfig(value: unknown): string[] {
  const options = {
    lineWidth: 0,
    defaultStringType: 'PLAIN',
    blockQuote: false,
    aliasDuplicateObjects: false,
  } as const;
  const lines = stringify(value, options).trimEnd().split('\n');
  return [...lines.map((line) => `  ${escaped(line)}`), '', ...summaryOf(value)];
}

const TOLD: ReadonlySet<string> = new Set(['schemaVersion', 'upstreams', 'enabledWorkflows']);

/** Returns the most important facts, to be shown at the end, where they are read last. */
function summaryOf(value: unknown): string[] {
  const entries = Object.entries(mappingAt(value, 'upstreams'));
  const runs = entries.flatMap(([key, entry]) => runLines(key, entry));
  const reaches = entries.flatMap(([key, entry]) => reachLines(key, entry));
  const workflows = valueAt(value, ['enabledWorkflows']);
  const names = Array.isArray(workflows) ? workflows.map((name) => shown(String(name))) : [];
  return [
    runs.length === 0 ? 'It runs no commands.' : 'It runs these commands as you:',
    ...runs,
    ...(reaches.length === 0 ? [] : ['It connects to:', ...reaches]),
    ...(names.length === 0 ? [] : [`It switches on these workflows: ${names.join(', ')}`]),
    ...otherLines(value),
  ];
}

function runLines(key: string, entry: unknown): string[] {
  const command = valueAt(entry, ['command']);
  if (command === undefined || command === null) return [];
  const args = valueAt(entry, ['args']);
  const words = [command, ...(Array.isArray(args) ? args : [])].map(wordOf);
  return [
    `  ${shown(key)}: ${words.join(' ')}`,
    ...(valueAt(entry, ['inheritEnv']) === true ? ['    with all variables of your environment'] : []),
    ...(valueAt(entry, ['disabled']) === true ? ['    not now: it is disabled'] : []),
  ];
}

function reachLines(key: string, entry: unknown): string[] {
  const url = valueAt(entry, ['url']) ?? valueAt(entry, ['ports']);
  return url === undefined || url === null ? [] : [`  ${shown(key)}: ${wordOf(url)}`];
}

function otherLines(value: unknown): string[] {
  const settings = isMapping(value) ? Object.entries(value) : [];
  return settings
    .filter(([key, setting]) => !TOLD.has(key) && setting !== null)
    .map(([key, setting]) => `It sets ${shown(key)}: ${wordOf(setting)}`);
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? shown(value) : escaped(JSON.stringify(value));
}

function mappingAt(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const found = valueAt(value, [key]);
  return isMapping(found) ? found : {};
}
