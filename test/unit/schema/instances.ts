/**
 * Arguments for a schema, made from its text alone: likely valid ones, and many that are wrong in one place. What they
 * are worth is for a judge to say.
 */
export function instancesFor(schema: unknown, limit: number): readonly unknown[] {
  const full = sampleOf(schema, { root: schema, isFull: true, depth: 0 });
  const minimal = sampleOf(schema, { root: schema, isFull: false, depth: 0 });
  const candidates = [full, minimal, {}, withMember(minimal, 'unknown_key', 1), withMember(minimal, '__proto__', 'x')];
  const mutations = mutationsOf(full);
  const step = Math.max(1, Math.ceil(mutations.length / Math.max(1, limit - candidates.length)));
  return [...candidates, ...mutations.filter((_, index) => index % step === 0)].slice(0, limit);
}

interface SampleContext {
  readonly root: unknown;
  readonly isFull: boolean;
  readonly depth: number;
}

type Part = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;
const TEXTS = [
  'a',
  'ab',
  '1',
  'A1',
  '2024-01-01',
  'https://a.example/b',
  'a@b.example',
  '00000000-0000-4000-8000-000000000000',
];
const WRONG_VALUES = [null, 0, 1.5, -7, 2 ** 60, '', 'zzz', true, [], {}, [null], [{}], { zzz: 1 }];

function sampleOf(schema: unknown, context: SampleContext): unknown {
  if (!isPart(schema) || context.depth > MAX_DEPTH) return {};
  const inner = { ...context, depth: context.depth + 1 };
  if (typeof schema.$ref === 'string') return sampleOf(pointedAt(context.root, schema.$ref), inner);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const branch = firstOf(schema.anyOf) ?? firstOf(schema.oneOf);
  if (branch !== undefined) return merged(typedSample(schema, inner), sampleOf(branch, inner));
  if (Array.isArray(schema.allOf)) {
    return schema.allOf.reduce((whole, part) => merged(whole, sampleOf(part, inner)), typedSample(schema, inner));
  }
  return typedSample(schema, inner);
}

function typedSample(schema: Part, context: SampleContext): unknown {
  const type = firstOf(schema.type) ?? schema.type;
  if (type === 'string') return textFor(schema);
  if (type === 'number' || type === 'integer') return numberFor(schema);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  if (type === 'array') return arrayFor(schema, context);
  return objectFor(schema, context);
}

function textFor(schema: Part): string {
  const pattern = typeof schema.pattern === 'string' ? compiled(schema.pattern) : undefined;
  const text = TEXTS.find((candidate) => pattern?.test(candidate) ?? true) ?? 'a';
  return text.padEnd(numberIn(schema, 'minLength') ?? 0, 'a');
}

function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}

function numberFor(schema: Part): number {
  const least = numberIn(schema, 'minimum');
  const above = numberIn(schema, 'exclusiveMinimum');
  return least ?? (above === undefined ? (numberIn(schema, 'maximum') ?? 1) : above + 1);
}

function arrayFor(schema: Part, context: SampleContext): readonly unknown[] {
  const items = Array.isArray(schema.items) ? schema.items : schema.prefixItems;
  if (Array.isArray(items)) return items.map((item) => sampleOf(item, context));
  const length = Math.min(5, Math.max(numberIn(schema, 'minItems') ?? 0, context.isFull ? 1 : 0));
  return Array.from({ length }, () => sampleOf(schema.items, context));
}

function objectFor(schema: Part, context: SampleContext): unknown {
  const properties = isPart(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const keys = context.isFull ? [...new Set([...required, ...Object.keys(properties)])] : required;
  return Object.fromEntries(keys.map((key) => [key, sampleOf(properties[key], context)]));
}

/** The value with one thing changed, for every place in it down to some depth. */
function mutationsOf(value: unknown, depth = 0): readonly unknown[] {
  if (typeof value !== 'object' || value === null || depth > 2) return [];
  return Object.entries(value).flatMap(([key, member], index) => [
    without(value, key),
    ...rotated(WRONG_VALUES, index * 5)
      .slice(0, depth === 0 ? 6 : 4)
      .map((wrong) => withMember(value, key, wrong)),
    ...mutationsOf(member, depth + 1).map((changed) => withMember(value, key, changed)),
  ]);
}

function withMember(whole: unknown, key: string, member: unknown): unknown {
  if (Array.isArray(whole)) return whole.map((item, index) => (String(index) === key ? member : item));
  if (typeof whole !== 'object' || whole === null) return whole;
  return Object.fromEntries([...Object.entries(whole), [key, member]]);
}

function without(whole: object, key: string): unknown {
  if (Array.isArray(whole)) return whole.filter((_, index) => String(index) !== key);
  return Object.fromEntries(Object.entries(whole).filter(([other]) => other !== key));
}

function merged(left: unknown, right: unknown): unknown {
  return isPart(left) && isPart(right) ? { ...left, ...right } : right;
}

function pointedAt(root: unknown, ref: string): unknown {
  if (!ref.startsWith('#')) return true;
  const steps = ref.split('/').slice(1);
  return steps.reduce<unknown>((value, step) => (isPart(value) ? value[decodeURIComponent(step)] : undefined), root);
}

function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const start = by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}

function numberIn(schema: Part, keyword: string): number | undefined {
  return typeof schema[keyword] === 'number' ? schema[keyword] : undefined;
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
