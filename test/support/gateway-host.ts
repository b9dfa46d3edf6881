import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RawClient } from './clients/raw-client.ts';
import { onLines } from './lines.ts';
import { type AtEnd, atEnd } from './shared.ts';

/** A gateway's config, and the environment that it shall find. */
export interface Hosting {
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  readonly profile?: string;
}

let host: Promise<string> | undefined;

/**
 * The process for all test files of a worker, with which it ends. Resolves with the socket on which it takes orders. It
 * removes its folder itself: no hook runs at the end of a worker.
 */
async function startHost(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-host-'));
  const socket = path.join(folder, 'orders');
  const child = fork(path.resolve('dist-fixtures/gateway-host.js'), [socket], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    stderr = `${stderr}${chunk.toString()}`.slice(-4_096);
  });
  child.once('exit', (code, signal) => {
    host = undefined;
    throw new Error(`the host of the gateways has ended (${code ?? signal}): ${stderr}`);
  });
  await once(child, 'message');
  child.unref();
  child.channel!.unref();
  (child.stderr as unknown as Socket).unref();
  return socket;
}

type Requests = readonly (readonly [method: string, params: object])[];

interface Details extends Partial<Hosting> {
  readonly requests?: Requests;
}

async function order(what: 'stdio' | 'serve' | 'stop' | 'ask', id: string, details?: Details): Promise<Socket> {
  host ??= startHost();
  const socket = connect(await host);
  socket.write(`${JSON.stringify({ what, id, ...details })}\n`);
  return socket;
}

/** The line that answers an order. */
async function answerTo(socket: Socket): Promise<any> {
  const line = new Promise<string>((resolve, reject) => {
    onLines(socket, resolve);
    socket.on('close', () => reject(new Error('the host of the gateways has not answered')));
  });
  const answer = JSON.parse(await line);
  if (answer.error !== undefined) throw new Error(answer.error);
  return answer;
}

async function stop(id: string): Promise<void> {
  await answerTo(await order('stop', id));
}

/** A client of a gateway that has it alone, or of the one that runs, as `viaduct stdio` has it; it has not said anything yet. */
export async function openHostedStdio(hosting: Hosting): Promise<RawClient> {
  const id = randomUUID();
  const socket = await order('stdio', id, hosting);
  atEnd(async () => {
    await stop(id);
    socket.destroy();
  });
  return new RawClient(socket, socket);
}

/** A gateway on a free port; resolves with its address. */
export async function openHostedServe(hosting: Hosting, whenDone: AtEnd): Promise<string> {
  const id = randomUUID();
  const socket = await order('serve', id, hosting);
  whenDone(() => stop(id));
  return (await answerTo(socket)).url;
}

/** The requests that a `viaduct` command makes to the gateway that runs with this config, or to one that runs only for them. */
export async function askHosted(hosting: Hosting, requests: Requests): Promise<readonly any[]> {
  return (await answerTo(await order('ask', randomUUID(), { ...hosting, requests }))).results;
}
