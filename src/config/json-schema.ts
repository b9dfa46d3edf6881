import { z } from 'zod';
import { type ConfigPath, isMapping } from './findings/finding.ts';
import { type ConfigShapes, configFileSchema } from './schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/**
 * Returns the JSON Schema (2020-12) of the config file, for editors.
 * @param more the other parts of the file that depend on the build
 */
export function configJsonSchema(
  workflowOptions: ConfigShapes['workflowOptions'],
  more: Omit<ConfigShapes, 'knownWorkflows' | 'workflowOptions'> = {},
): JsonSchema {
  const schema = configFileSchema({ ...more, knownWorkflows: Object.keys(workflowOptions), workflowOptions });
  const { properties, ...rest } = toInputSchema(schema);
  const defaults = withoutDefaults(properties?.defaults) as JsonSchema;
  return { title: 'Viaduct configuration', ...rest, properties: { ...properties, defaults } };
}

/** Removes the defaults of a schema: what `defaults` leaves open is up to the entries and their own schema. */
function withoutDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDefaults);
  if (!isMapping(schema)) return schema;
  const left = Object.entries(schema).filter(([key]) => key !== 'default');
  return Object.fromEntries(left.map(([key, value]) => [key, withoutDefaults(value)]));
}

/** Returns the keys that a schema has at a path; none if it leaves them open. */
export function knownKeys(schema: z.ZodType, path: ConfigPath): string[] {
  const at = path.reduce<JsonSchema[]>(
    (schemas, part) => schemas.flatMap((one) => below(one, part)),
    [toInputSchema(schema)],
  );
  return [...new Set(at.flatMap(branches).flatMap((one) => Object.keys(one.properties ?? {})))];
}

const toInputSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

function below(schema: JsonSchema, part: string | number): JsonSchema[] {
  return branches(schema)
    .map((branch) => {
      if (typeof part === 'number') return Array.isArray(branch.items) ? branch.items[part] : branch.items;
      return branch.properties?.[part] ?? branch.additionalProperties;
    })
    .filter((found) => typeof found === 'object');
}

const branches = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap(branches),
];
