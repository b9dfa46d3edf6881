import { Ajv, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

const OPTIONS: Options = {
  strict: false,
  // Else it skips the rest of a schema with `prefixItems` when the array is empty.
  allErrors: true,
  // Else every object has a `constructor`.
  ownProperties: true,
  validateSchema: false,
  validateFormats: false,
  addUsedSchema: false,
  logger: false,
  messages: false,
  code: { optimize: false },
};

const draft7 = new Ajv(OPTIONS);
const draft2020 = new Ajv2020(OPTIONS);

/**
 * What JSON Schema says, according to ajv: draft-07 where a schema declares it, else 2020-12 (the default of MCP).
 * `undefined` where ajv does not take the schema.
 */
export function ajvJudgeOf(schema: unknown): ValidateFunction | undefined {
  try {
    const ajv = declaresDraft7(schema) ? draft7 : draft2020;
    const judge = ajv.compile(schema as object);
    ajv.removeSchema(schema as object);
    return judge;
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

function declaresDraft7(schema: unknown): boolean {
  const uri = typeof schema === 'object' && schema !== null && '$schema' in schema ? schema.$schema : undefined;
  return typeof uri === 'string' && /draft-07/.test(uri);
}
