import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fixture } from './gateway.ts';
import { onLines } from './lines.ts';
import { endChild, hasEnded } from './processes.ts';

export const TRANSPORTS = ['stdio', 'http', 'sse', 'tcp', 'unix', 'websocket'] as const;
export type TransportName = (typeof TRANSPORTS)[number];

/** The fixture server `eras`, reached in one way. */
export interface Reached {
  /** For the config. */
  readonly entry: object;
  /** Gone after `exit`, it is there again; a process that the gateway starts needs nobody to do that. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export interface ReachOptions {
  /** For sockets. */
  readonly folder: string;
  readonly flags: readonly string[];
}

export async function reach(transport: TransportName, { folder, flags }: ReachOptions): Promise<Reached> {
  if (transport === 'stdio') {
    const nothing = async () => undefined;
    return { entry: fixture('eras', ...flags), comeBack: nothing, stop: nothing };
  }
  const options = [`--over=${transport}`, ...flags];
  let server = await start([...options, `--at=${transport === 'unix' ? path.join(folder, `${Date.now()}.sock`) : 0}`]);
  const { url } = server;
  const at = transport === 'unix' ? url.slice('unix://'.length) : new URL(url).port;
  return {
    entry: { url, ...(transport === 'sse' && { type: 'sse' }) },
    async comeBack() {
      await hasEnded(server.child);
      server = await start([...options, `--at=${at}`]);
    },
    async stop() {
      await endChild(server.child);
    },
  };
}

async function start(flags: readonly string[]): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const { command, args } = fixture('eras', ...flags);
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    onLines(child.stdout!, (line) => resolve(line.replace('listening on ', '')));
    child.once('exit', (code) => reject(new Error(`the fixture server exited with ${code}`)));
  });
  return { child, url };
}
