import { unfoldedNodes } from '../measure.ts';
import { isTamePattern } from '../pattern.ts';
import { type Keyword, type ReducedNode, type ReducedSchema, subschemasOf } from '../reduce/reduced-schema.ts';

/** Up to what size arguments are certain to be checked quickly, so that no time limit is needed. */
export interface Quickness {
  readonly maxParts: number;
  readonly maxCharacters: number;
}

/** Parts of the arguments times nodes of the schema. */
const QUICK_STEPS = 50_000;
const QUICK_CHARACTERS = 100_000;
/** A tame pattern may take time in proportion to the square. */
const QUICK_CHARACTERS_WITH_PATTERN = 1000;

const NEVER: Quickness = { maxParts: 0, maxCharacters: 0 };

/** Checking any of these takes one look at each value, for each node of the schema at most. */
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
]);

/** Zod looks texts up, and tries values of other types one by one. */
const MAX_TRIED_CHOICES = 16;

export function quicknessOf(schema: ReducedSchema): Quickness {
  const nodes = new Set<ReducedNode>();
  collectNodes(schema, nodes);
  if (![...nodes].every(isPlain)) return NEVER;
  const hasPattern = [...nodes].some((node) => node.pattern !== undefined);
  return {
    maxParts: Math.floor(QUICK_STEPS / unfoldedNodes(schema)),
    maxCharacters: hasPattern ? QUICK_CHARACTERS_WITH_PATTERN : QUICK_CHARACTERS,
  };
}

function collectNodes(schema: ReducedSchema, nodes: Set<ReducedNode>): void {
  if (typeof schema === 'boolean' || nodes.has(schema)) return;
  nodes.add(schema);
  for (const part of subschemasOf(schema)) collectNodes(part, nodes);
}

function isPlain(node: ReducedNode): boolean {
  const keywords = Object.keys(node);
  // Alternatives beside anything else are merged afterwards, member by member.
  if (node.anyOf !== undefined || node.oneOf !== undefined) return keywords.length === 1;
  if (!keywords.every((keyword) => PLAIN_KEYWORDS.has(keyword))) return false;
  if (node.pattern !== undefined && !isTamePattern(node.pattern)) return false;
  return (node.enum === undefined || isPlainChoice(node)) && !hasInheritedName(node);
}

function isPlainChoice(node: ReducedNode): boolean {
  const tried = node.enum!.filter((value) => typeof value !== 'string');
  const isPrimitive = tried.every((value) => typeof value !== 'object' || value === null);
  // The members of a choice would be looked at twice, and theirs four times …
  return tried.length <= MAX_TRIED_CHOICES && isPrimitive && node.properties === undefined;
}

/** Names such as `constructor` make the converter look at all members twice. */
function hasInheritedName({ properties = {} }: ReducedNode): boolean {
  return Object.keys(properties).some((name) => name in Object.prototype);
}
