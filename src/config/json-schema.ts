import { z } from 'zod';
import type { ConfigPath } from './finding.ts';
import { configFileSchema, type WorkflowShapes } from './schema.ts';

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** JSON Schema (2020-12) of the config file, for editors. */
export function configJsonSchema(workflowOptions: WorkflowShapes['workflowOptions']): JsonSchema {
  const schema = configFileSchema({ knownWorkflows: Object.keys(workflowOptions), workflowOptions });
  return { title: 'Viaduct configuration', ...toInputSchema(schema) };
}

/** The keys that a schema has at a path; none where it leaves them open. */
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
