/** Makes values that fit simple JSON schemas. Pure. */
export interface Schema {
  readonly type?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'text',
  number: 2,
  integer: 2,
  boolean: true,
  array: [],
};

/** Returns the default if there is one. An object gets all properties if `isComplete`, otherwise the required ones. */
export function sampleOf(schema: Schema, { isComplete = false } = {}): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.properties === undefined) return SAMPLES[schema.type ?? 'object'] ?? {};
  const wanted = Object.entries(schema.properties).filter(([name]) => isComplete || schema.required?.includes(name));
  return Object.fromEntries(wanted.map(([name, property]) => [name, sampleOf(property, { isComplete })]));
}
