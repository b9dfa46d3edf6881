import { GatewayError } from '../../../core/errors.ts';
import type { ModelBackends } from '../../../core/settings/model-backends.ts';
import { CLIENT_BACKEND } from '../../../core/settings/models-options.ts';
import type { CallContext, ToolAnnotations } from '../../define.ts';
import type { Influx } from '../influx/influx.ts';
import type { MlOptions } from '../options.ts';

/** The parts that the tools of the workflow have in common. */
export interface Toolbox {
  readonly options: MlOptions;
  readonly models: () => Promise<ModelBackends>;
  readonly influx: Influx;
}

/** Changes nothing, and reaches services outside of this machine. */
export const ASKS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

/** Returns the backend that answers if a call names none: the default one, else the calling client's model; `''` if there is none. */
export function defaultBackend({ defaultName }: ModelBackends, { sampling }: CallContext): string {
  return defaultName ?? (sampling.canSample ? CLIENT_BACKEND : '');
}

/** Returns an error for arguments that do not fit. */
export function refused(message: string): GatewayError {
  return new GatewayError('INVALID_ARGUMENTS', message, { effect: 'none' });
}

/** Runs the work of a tool. @throws GatewayError whose message begins with `what`, if a model fails */
export async function orFailed<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError(error.code, `${what}: ${error.message}`, { ...error.detail, cause: error });
  }
}

/** Returns an empty argument as one that is missing, as the original takes it. */
export function orMissing(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

/** Returns the items of a comma list without those that are empty or repeated. */
export function listed(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return [...new Set(items)].filter((item) => item !== '');
}
