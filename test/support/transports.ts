import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fixture } from './gateway.ts';
import { onLines } from './lines.ts';
import { endChild, hasEnded } from './processes.ts';

export const TRANSPORTS = ['stdio', 'http', 'sse', 'tcp', 'unix', 'websocket'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** A fixture server that is reached in one way. */
export interface Reached {
  /** For the config. */
  readonly entry: object;
  /** Gone after `exit`, it is there again; a process that the gateway starts does not need this. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReachOptions {
  /** For sockets. */
  readonly folder: string;
  readonly flags: readonly string[];
  /** One that can be reached in all ways; `eras` where absent. */
  readonly server?: string;
}

/** `http-json` is HTTP whose answers are JSON, not events. */
export async function reach(
  transport: TransportName | 'http-json',
  { folder, flags, server: name = 'eras' }: ReachOptions,
): Promise<Reached> {
  if (transport === 'stdio') {
    const nothing = async () => undefined;
    return { entry: fixture(name, ...flags), comeBack: nothing, stop: nothing };
  }
  const options = [`--over=${transport}`, ...flags];
  let server = await start(name, [
    ...options,
    `--at=${transport === 'unix' ? path.join(folder, `${Date.now()}.sock`) : 0}`,
  ]);
  const { url } = server;
  const at = transport === 'unix' ? url.slice('unix://'.length) : new URL(url).port;
  return {
    entry: { url, ...(transport === 'sse' && { type: 'sse' }) },
    async comeBack() {
      await hasEnded(server.child);
      server = await start(name, [...options, `--at=${at}`]);
    },
    async stop() {
      await endChild(server.child);
    },
  };
}

async function start(
  name: string,
  flags: readonly string[],
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const { command, args } = fixture(name, ...flags);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    onLines(child.stdout!, (line) => resolve(line.replace('listening on ', '')));
    child.once('exit', (code) => reject(new Error(`the fixture server exited with ${code}`)));
  });
  return { child, url };
}
