import { convertJsonSchemaToZod } from 'zod-from-json-schema';
import { mapSubschemas, type ReducedSchema } from '../../../src/schema/reduce/reduced-schema.ts';
import type { UsableSchema } from '../../../src/schema/sanitise.ts';

/** Says whether Zod accepts a value; `undefined` where it fails on the schema or on the value. */
export type ZodJudge = (value: unknown) => boolean | undefined;

/** Returns how Zod judges by a reduced schema; `undefined` where it cannot take the schema. */
export function zodJudgeOf({ schema, definitions }: UsableSchema): ZodJudge | undefined {
  const copy = (part: ReducedSchema): unknown => (typeof part === 'boolean' ? part : mapSubschemas(part, copy));
  const root = copy(schema);
  const named = [...definitions].map(([ref, part]) => [ref.slice(ref.lastIndexOf('/') + 1), copy(part)] as const);
  const whole = named.length === 0 ? root : { ...(root as object), $defs: Object.fromEntries(named) };
  try {
    const zod = convertJsonSchemaToZod(whole as Parameters<typeof convertJsonSchemaToZod>[0]);
    return (value) => {
      try {
        return zod.safeParse(value).success;
      } catch {
        return undefined;
      }
    };
  } catch {
    return undefined;
  }
}
