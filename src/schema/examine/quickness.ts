import { unfoldedNodes, unfoldedWeight } from '../measure.ts';
import { isTamePattern } from '../pattern.ts';
import { type Keyword, type ReducedNode, type ReducedSchema, subschemasOf } from '../reduce/reduced-schema.ts';

/** The size of arguments up to which are certain to be checked quickly, so that no time limit is needed. */
export interface Quickness {
  readonly maxParts: number;
  readonly maxCharacters: number;
}

/** Parts of the arguments times looks at each of them. */
const QUICK_STEPS = 50_000;
const QUICK_CHARACTERS = 100_000;
/** Characters of the arguments times nodes: each node may count the characters of the same text. */
const QUICK_CHARACTER_STEPS = 2_000_000;
/** A tame pattern may take time in proportion to the square. */
const QUICK_CHARACTERS_WITH_PATTERN = 1000;
/** The same square times patterns. */
const QUICK_PATTERN_STEPS = 5_000_000;

const NEVER: Quickness = { maxParts: 0, maxCharacters: 0 };

/** Checking any of these takes as many looks at each value as `looks` says. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set<Keyword>([
  'type',
  'enum',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'items',
  'minItems',
  'maxItems',
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'anyOf',
  'oneOf',
]);

/** Returns up to what size of arguments a check against this schema is certain to be quick. */
export function quicknessOf(schema: ReducedSchema): Quickness {
  const nodes = new Set<ReducedNode>();
  collectNodes(schema, nodes);
  if (![...nodes].every(isPlain)) return NEVER;
  const hasPattern = [...nodes].some((node) => node.pattern !== undefined);
  const most = Math.min(QUICK_CHARACTERS, Math.floor(QUICK_CHARACTER_STEPS / unfoldedNodes(schema)));
  return {
    maxParts: Math.floor(QUICK_STEPS / unfoldedWeight(schema, looks)),
    maxCharacters: hasPattern ? Math.min(most, quickForPatterns(schema)) : most,
  };
}

function quickForPatterns(schema: ReducedSchema): number {
  const patterns = unfoldedWeight(schema, ({ pattern }) => (pattern === undefined ? 0 : 1));
  return Math.min(QUICK_CHARACTERS_WITH_PATTERN, Math.floor(Math.sqrt(QUICK_PATTERN_STEPS / patterns)));
}

function collectNodes(schema: ReducedSchema, nodes: Set<ReducedNode>): void {
  if (typeof schema === 'boolean' || nodes.has(schema)) return;
  nodes.add(schema);
  for (const part of subschemasOf(schema)) collectNodes(part, nodes);
}

function isPlain(node: ReducedNode): boolean {
  if (!Object.keys(node).every((keyword) => PLAIN_KEYWORDS.has(keyword))) return false;
  if (node.pattern !== undefined && !isTamePattern(node.pattern)) return false;
  return (node.enum ?? []).every((value) => typeof value !== 'object' || value === null);
}

/** Returns how often a value is looked at for one node: choices and required names are tried one by one. */
function looks({ enum: choices = [], required = [] }: ReducedNode): number {
  return 1 + choices.length + required.length;
}
