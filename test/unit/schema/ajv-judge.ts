import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const OPTIONS: Options = {
  strict: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
  code: { optimize: false },
};

/**
 * What JSON Schema says, according to ajv: draft-07 where a schema declares it, else 2020-12 (the default of MCP).
 * `undefined` where ajv does not take the schema.
 */
export function ajvJudgeOf(schema: unknown): ValidateFunction | undefined {
  try {
    // A new one each time: ajv keeps every schema with an `$id`, and rejects the next one of that name.
    const ajv = declaresOldDraft(schema) ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
    return ajv.compile(schema as object);
  } catch {
    return undefined;
  }
}

/** Whether ajv accepts; what ends without a verdict (the stack, on recursive schemas) counts as not accepted. */
export function isAcceptedBy(judge: ValidateFunction, value: unknown): boolean {
  try {
    return judge(value) === true;
  } catch {
    return false;
  }
}

function declaresOldDraft(schema: unknown): boolean {
  const uri = typeof schema === 'object' && schema !== null && '$schema' in schema ? schema.$schema : undefined;
  return typeof uri === 'string' && /draft-0[67]/.test(uri);
}
