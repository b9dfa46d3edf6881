import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type CommandReading, readCommand } from '../../core/command-line/whole-line.ts';
import type { RulePlace } from '../../core/settings/config-key.ts';
import { expand } from '../expand.ts';
import { isMapping } from '../findings/finding.ts';
import { withHome } from '../home-path.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Checks that the `command` of an entry is a program, and not a whole command line or a name in quotes. */
export function commandProblem(_value: string, { written: command, parent, ...context }: RulePlace) {
  const entry = isMapping(parent) ? parent : {};
  const quoted = /^\s*(["'])([^"']+)\1\s*$/.exec(command)?.[2];
  if (quoted !== undefined) {
    return { message: 'has an extra pair of quotes around it', hint: `write command: ${yamlWord(quoted)}` };
  }
  const reading = readCommand(command, (path) => isFile(path, entry, context));
  switch (reading.is) {
    case 'program':
    case 'unclear':
      return undefined;
    case 'shell':
      return {
        message: 'is a command line that only a shell can run',
        hint: `write command: sh, args: [-c, ${yamlWord(command)}]`,
      };
    case 'line':
      return { message: 'is a whole command line; it must be a program alone', hint: splitHint(reading, entry) };
  }
}

/** Returns how to write the keys of the entry. */
function splitHint({ env, words }: Extract<CommandReading, { is: 'line' }>, entry: Entry): string {
  const [program = '', ...rest] = words;
  const args = [...rest, ...(Array.isArray(entry.args) ? entry.args.map(String) : [])];
  const variables = Object.entries(env).map(([name, value]) => `${name}: ${yamlWord(value)}`);
  return [
    `write command: ${yamlWord(program)}`,
    ...(args.length === 0 ? [] : [`args: [${args.map(yamlWord).join(', ')}]`]),
    ...(variables.length === 0 ? [] : [`env: { ${variables.join(', ')} }`]),
  ].join(', ');
}

/** Returns a text as YAML takes it inside brackets. */
function yamlWord(text: string): string {
  const isPlain = /^[\w./-][\w./:=+-]*$/.test(text) && !/^(?:true|false|null|~|[-+.\d][\d.e+-]*)$/i.test(text);
  return isPlain && !text.endsWith(':') ? text : JSON.stringify(text);
}

function isFile(path: string, { cwd }: Entry, { folder, env }: Pick<RulePlace, 'folder' | 'env'>): boolean {
  const variables = { ...env, VIADUCT_CONFIG_DIR: folder };
  const absolute = (text: string, from: string) => resolve(from, withHome(expand(text, variables).text, env));
  try {
    return statSync(absolute(path, typeof cwd === 'string' ? absolute(cwd, folder) : folder)).isFile();
  } catch {
    return false; // it does not exist, or must not be read
  }
}
