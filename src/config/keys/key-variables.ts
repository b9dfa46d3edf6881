import type { Environment } from '../../core/settings/environment.ts';
import { expand } from '../expand.ts';
import { type ConfigPath, type Finding, valueAt } from '../findings/finding.ts';
import { isPublicName } from '../secrets/secrets.ts';
import { type ConfigKey, replaceTexts } from './config-keys.ts';

export interface ExpandedFile {
  /** The value of the file, with variables replaced at the keys that take them. */
  readonly value: unknown;
  readonly findings: readonly Finding[];
  /** Values that came from variables and may be secret. */
  readonly values: readonly string[];
  /** Names of the variables outside of disabled entries, in alphabetical order. */
  readonly names: readonly string[];
}

/**
 * Replaces variables at the keys that take them.
 * @param file a value of any shape; what is wrong with it is left for the schema to report
 */
export function expandVariables(file: unknown, keys: readonly ConfigKey[], env: Environment): ExpandedFile {
  const findings: Finding[] = [];
  const values: string[] = [];
  const names = new Set<string>();
  const expandText = (text: string, path: ConfigPath): string => {
    const expansion = expand(text, env);
    for (const { name, value } of expansion.used) if (!isPublicName(name)) values.push(value);
    for (const reference of expansion.malformed) findings.push(malformedFinding(reference, path));
    if (!isDisabled(file, path)) {
      for (const name of expansion.names) names.add(name);
      for (const name of expansion.unset) findings.push(unsetFinding(name, path));
    }
    return expansion.text;
  };
  const patterns = keys.filter(({ facts }) => facts.takesVariables).map(({ pattern }) => pattern);
  const value = patterns.reduce((replaced, pattern) => replaceTexts(replaced, pattern, expandText), file);
  return { value, findings, values, names: [...names].sort() };
}

/** Returns true if the value belongs to a disabled entry: its user may well have no token for it. */
const isDisabled = (file: unknown, [section = '', key = '']: ConfigPath): boolean =>
  section === 'upstreams' && valueAt(file, [section, key, 'disabled']) === true;

const unsetFinding = (name: string, path: ConfigPath): Finding => ({
  path,
  message: `the variable ${name} is not set`,
  hint: `set ${name} where Viaduct is started, or give a default: \${${name}:-value}`,
  isUnset: true,
});

function malformedFinding(reference: string, path: ConfigPath): Finding {
  const literal = 'for a literal "${" write "$${"; one reference cannot contain another';
  if (!reference.endsWith('}')) return { path, message: `a "\${" without its "}"`, hint: literal };
  // VS Code and Cursor write references in this form.
  const name = /^\$\{env:(\w+)\}$/.exec(reference)?.[1];
  const hint = name === undefined ? `a variable is \${NAME} or \${NAME:-default}; ${literal}` : `write \${${name}}`;
  return { path, message: `a "\${…}" that is not a variable`, hint };
}
