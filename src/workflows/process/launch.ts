import { GatewayError } from '../../core/errors.ts';
import { ImpossibleError } from '../../core/impossible-error.ts';
import { cutText } from '../../core/text/clean-text.ts';
import { environmentFor } from '../../process/environment.ts';
import { findCommand } from '../../process/find-command.ts';
import type { SpawnOptions } from '../../process/spawn-tree.ts';
import type { WorkspaceFolder } from '../../workspace/sandbox.ts';
import type { WorkflowContext } from '../define.ts';
import { commandRules } from './command-rules.ts';
import { variableRules } from './environment-rules.ts';
import type { ProcessOptions } from './options.ts';

/** A process as a client wants it. */
export interface LaunchRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly folder: WorkspaceFolder;
  /** On top of the gateway's own environment. */
  readonly env: Readonly<Record<string, string>>;
}

export type LaunchContext = Pick<WorkflowContext<ProcessOptions>, 'options' | 'env' | 'loginPath'>;

/** Makes of what a client asks for what the system is told, if the config allows it. @throws GatewayError */
export function launcher({
  options,
  env,
  loginPath,
}: LaunchContext): (request: LaunchRequest) => Promise<SpawnOptions> {
  const isAllowed = commandRules(options);
  const maySet = variableRules(options.allowEnv);
  return async ({ command, args, folder, env: more }) => {
    const refused = Object.keys(more).find((name) => !maySet(name));
    if (refused !== undefined) throw variableDenied(refused);
    const own = await environmentFor({ env: {}, inheritEnv: false }, env, loginPath);
    // Searched in the gateway's PATH: with one that the client chooses, any file could be what the config allows.
    const found = await findCommand({ command, cwd: folder.realPath }, own, loginPath).catch(asProcessFailure);
    if (!(await isAllowed(command, found.file).catch(asProcessFailure))) throw denied(command);
    return { file: found.file, args, cwd: folder.cwd, env: { ...found.env, PWD: folder.realPath, ...more } };
  };
}

function asProcessFailure(error: unknown): never {
  if (error instanceof ImpossibleError) throw processFailed(error.message, error);
  // The file has gone since it was found.
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw processFailed((error as Error).message, error);
  throw error;
}

function denied(command: string): GatewayError {
  const message = `"${command}" may not be started: see allow and deny of workflows.process in the config`;
  return new GatewayError('COMMAND_DENIED', message, { effect: 'none' });
}

function variableDenied(name: string): GatewayError {
  const shown = JSON.stringify(cutText(name, 101));
  const message = `${shown} may not be set: it decides which code programs load or run. Leave it out of env, or allow it in the config: workflows.process.allowEnv`;
  return new GatewayError('COMMAND_DENIED', message, { effect: 'none' });
}

/** Returns a failure that the model can act on; nothing was done. */
export function processFailed(message: string, cause?: unknown): GatewayError {
  return new GatewayError('PROCESS_FAILED', message, { effect: 'none', cause });
}
