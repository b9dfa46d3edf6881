import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { DEPTH_VARIABLE } from '../../core/agent-depth.ts';
import { asObject } from '../../core/json/as-object.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { TREE_VARIABLE } from '../../process/process-table.ts';

/** The name of the command that runs a shared gateway. */
export const SHARED_GATEWAY_COMMAND = 'shared-gateway';
/** The descriptor on which a shared gateway reports how its start went. */
export const REPORT_DESCRIPTOR = 3;

export interface Launch {
  /** Node.js and its arguments, the last of which is the script of Viaduct. */
  readonly program: { readonly command: string; readonly args: readonly string[] };
  readonly home: string;
  readonly configPath: string;
  readonly isOfFolder: boolean;
  /** The key that the gateway has if the config still says what the client has read. */
  readonly key: string;
  readonly env: Environment;
}

/** A shared gateway's report of its start. */
export interface StartReport {
  /** The reason why it does not run. Absent if it runs, or if another one does. */
  readonly error?: string | undefined;
  /** The config now uses other variables than the client has read. */
  readonly hasOtherKey?: boolean | undefined;
}

/** The time that a gateway has for its start, in milliseconds. */
const START_MS = 60_000;
const MAX_REPORT = 64 * 1024;

/**
 * Starts a shared gateway: in a session of its own, with no descriptor of ours but the one on which it reports, in the folder `/`.
 * @returns its report
 */
export async function launch({ program, home, configPath, isOfFolder, key, env }: Launch): Promise<StartReport> {
  const words = [SHARED_GATEWAY_COMMAND, '--config', configPath, '--key', key, ...(isOfFolder ? ['--of-folder'] : [])];
  const child = spawn(program.command, [...program.args, ...words], {
    detached: true,
    cwd: path.parse(process.execPath).root,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: environmentFor(home, env),
    windowsHide: true,
  });
  const pipe = child.stdio[REPORT_DESCRIPTOR] as Readable;
  const report = await reportOf(child, pipe);
  pipe.destroy();
  child.unref();
  return report;
}

/**
 * The gateway is in no client's process tree: it is not ended with the gateway that has started its first client, and
 * clients say themselves how many agents are between them and the user.
 */
function environmentFor(home: string, env: Environment): NodeJS.ProcessEnv {
  const { [TREE_VARIABLE]: _tree, [DEPTH_VARIABLE]: _depth, VIADUCT_GATEWAY: _mode, ...rest } = env;
  const isRelative = rest.VIADUCT_CONFIG !== undefined && /^[^~]/.test(rest.VIADUCT_CONFIG);
  const named = isRelative ? { VIADUCT_CONFIG: path.resolve(rest.VIADUCT_CONFIG!) } : {};
  return { ...rest, ...named, VIADUCT_HOME: home };
}

function reportOf(child: ChildProcess, pipe: Readable): Promise<StartReport> {
  return new Promise((resolve) => {
    let text = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve({ error: `it was not ready after ${START_MS / 1_000} s` });
    }, START_MS);
    const settle = (report: StartReport) => {
      clearTimeout(timer);
      resolve(report);
    };
    pipe.setEncoding('utf8');
    pipe.on('data', (chunk: string) => {
      if (text.length < MAX_REPORT) text += chunk;
    });
    pipe.on('error', () => undefined);
    child.on('error', (error) => settle({ error: error.message }));
    pipe.on('close', () => {
      if (text !== '') settle(reportIn(text));
    });
    child.on('close', (code, signal) => {
      settle(text === '' ? { error: `it ended during its start (${signal ?? `exit code ${code}`})` } : reportIn(text));
    });
  });
}

function reportIn(text: string): StartReport {
  try {
    const { error, hasOtherKey } = asObject(JSON.parse(text));
    return { hasOtherKey: hasOtherKey === true, ...(typeof error === 'string' && { error }) };
  } catch {
    return { error: `its report cannot be read: ${text.slice(0, 200)}` };
  }
}
