import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RawClient } from './clients/raw-client.ts';
import { fixture, freshHome, startStdio, temporaryFolder, viaduct, writeConfig } from './gateway.ts';
import { type AtEnd, atEnd } from './shared.ts';

/** Environment of clients that share a gateway, which ends with the test. */
export function sharedHome(extra: NodeJS.ProcessEnv = {}, whenDone: AtEnd = atEnd): NodeJS.ProcessEnv {
  const env = freshHome({ VIADUCT_GATEWAY: 'shared', ...extra });
  whenDone(async () => {
    const { code, stdout, stderr } = await viaduct(['stop', '--all'], env);
    if (code !== 0) throw new Error(`a shared gateway is left: ${stdout}${stderr}`);
  });
  return env;
}

/** A config with servers whose processes note their numbers in files. */
export function loggedConfig(
  names: readonly string[] = ['f'],
  more: object = {},
): { readonly config: string; readonly logOf: (name: string) => string } {
  const folder = temporaryFolder();
  const logOf = (name: string) => path.join(folder, `${name}.log`);
  const upstreams = Object.fromEntries(names.map((name) => [name, fixture('hostile', `--log=${logOf(name)}`)]));
  return { config: writeConfig({ log: { level: 'info' }, upstreams, ...more }, folder), logOf };
}

/** A client of a `viaduct stdio` after its handshake. */
export async function sharedClient(config: string, env: NodeJS.ProcessEnv): Promise<RawClient> {
  const { client } = startStdio(config, env);
  await client.initialize();
  return client;
}

/** What `viaduct status --json` says of the gateway of clients with this environment. */
export async function sharedStatus(config: string, env: NodeJS.ProcessEnv): Promise<any> {
  return JSON.parse((await viaduct(['status', '--json', '--config', config], env)).stdout);
}

/** The files of gateways that run, or have run. */
export function runFiles(env: NodeJS.ProcessEnv, ending = ''): readonly string[] {
  const folder = path.join(env.VIADUCT_HOME!, 'run');
  return readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => path.join(folder, name));
}

/** Lines of the log of the shared gateways in a home. */
export function gatewayLog(env: NodeJS.ProcessEnv): string {
  return runFiles(env, '.log')
    .map((file) => readFileSync(file, 'utf8'))
    .join('');
}
