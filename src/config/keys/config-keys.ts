import type { z } from 'zod';
import { factsOf, type KeyFacts } from '../../core/settings/config-key.ts';
import { type ConfigPath, isMapping } from '../findings/finding.ts';

/** A key that a config can have. */
export interface ConfigKey {
  /** Its path; `*` stands for any name and for any place in a list. */
  readonly pattern: readonly string[];
  readonly facts: KeyFacts;
  readonly schema: z.core.$ZodType;
}

/** Returns every key of a schema that was described with `configKey`, in the order of the schema. */
export function configKeys(schema: z.core.$ZodType, pattern: readonly string[] = []): ConfigKey[] {
  const facts = factsOf(schema);
  const own = facts === undefined ? [] : [{ pattern, facts, schema }];
  return [
    ...own,
    ...parts(schema).flatMap(([step, part]) => configKeys(part, step === '' ? pattern : [...pattern, step])),
  ];
}

/** Returns what a schema consists of, each with the step that leads to it; `''` if it is about the same value. */
function parts(schema: z.core.$ZodType): (readonly [string, z.core.$ZodType])[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape);
    case 'record':
      return [['*', def.valueType]];
    case 'array':
      return [['*', def.element]];
    case 'union':
      return def.options.map((option) => ['', option] as const);
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nullable':
      return [['', def.innerType]];
    case 'pipe':
      return [['', def.in]];
    default:
      return [];
  }
}

/** Returns whether a path is one of those that a pattern means. */
export function isAt(path: ConfigPath, pattern: readonly string[]): boolean {
  return path.length === pattern.length && pattern.every((part, index) => part === '*' || part === String(path[index]));
}

/**
 * Returns a value in which the texts at a pattern are replaced: the text itself, or those directly in the list or mapping
 * that is there. Everything else stays unchanged, regardless of its shape.
 */
export function replaceTexts(
  value: unknown,
  pattern: readonly string[],
  replace: (text: string, path: ConfigPath) => string,
  path: ConfigPath = [],
): unknown {
  const [step, ...rest] = pattern;
  if (step === undefined) return replaceHere(value, replace, path);
  return replaceParts(value, step, (part, name) => replaceTexts(part, rest, replace, [...path, name]));
}

function replaceHere(value: unknown, replace: (text: string, path: ConfigPath) => string, path: ConfigPath): unknown {
  if (typeof value === 'string') return replace(value, path);
  return replaceParts(value, '*', (part, name) => (typeof part === 'string' ? replace(part, [...path, name]) : part));
}

function replaceParts(
  value: unknown,
  step: string,
  change: (part: unknown, name: string | number) => unknown,
): unknown {
  if (Array.isArray(value)) return step === '*' ? value.map(change) : value;
  if (!isMapping(value)) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, part]) => [name, step === '*' || step === name ? change(part, name) : part]),
  );
}

/** Calls `visit` with each text at a pattern, as `replaceTexts` finds them. */
export function visitTexts(
  value: unknown,
  pattern: readonly string[],
  visit: (text: string, path: ConfigPath) => void,
): void {
  replaceTexts(value, pattern, (text, path) => {
    visit(text, path);
    return text;
  });
}
