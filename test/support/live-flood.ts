import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WebSocket } from 'ws';
import { forgetPeak, peakMib, residentMib } from '../../scripts/faults/process-figures.ts';
import { spawnClient } from './clients/raw-client.ts';
import { removeFolder } from './folders.ts';
import { hasEnded } from './processes.ts';

const CHUNK = 64 * 1024;
const SLOW_BYTES_PER_MS = 100;

/** Waits for a word on its input, and then writes so many chunks as fast as they are taken. */
const FLOOD = `
const { once } = require('node:events');
const chunkOf = ${chunkOf.toString().replaceAll('CHUNK', String(CHUNK))};
process.stdin.once('data', async () => {
  for (let index = 0; index < Number(process.argv[2]); index++) {
    if (!process.stdout.write(chunkOf(index))) await once(process.stdout, 'drain');
  }
  process.stdin.destroy();
});
`;

function chunkOf(index: number): string {
  return `${`${index} `.repeat(CHUNK).slice(0, CHUNK - 1)}\n`;
}

export interface FloodOutcome {
  /** True if the fast subscriber got everything, in order. */
  readonly isWhole: boolean;
  readonly seconds: number;
  /** Memory of the gateway before, and at most: MiB. */
  readonly idle: number;
  readonly peak: number;
  /** Close codes of the one that does not read at all, and of the one that reads 100 KB a second. */
  readonly codes: readonly number[];
  readonly clients: number;
}

/** A process writes so many MiB, before a fast subscriber, one that reads slowly, and one that does not read. Linux only. */
export async function floodLive(mebibytes: number): Promise<FloodOutcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-flood-'));
  const config = path.join(folder, 'viaduct.yaml');
  const enabledWorkflows = ['process', 'live'];
  writeFileSync(config, JSON.stringify({ schemaVersion: 1, enabledWorkflows, workspace: { root: folder } }));
  writeFileSync(path.join(folder, 'flood.cjs'), FLOOD);
  const env = { ...process.env, VIADUCT_HOME: path.join(folder, 'home') };
  const { client, child } = spawnClient(process.execPath, ['dist/main.js', 'stdio', '--config', config], env);
  try {
    await client.initialize();
    const call = async (name: string, args: object = {}) => (await client.call(name, args)).structuredContent;
    return await flood(call, child.pid!, mebibytes * (1024 ** 2 / CHUNK));
  } finally {
    client.end();
    await hasEnded(child);
    removeFolder(folder);
  }
}

type Call = (name: string, args?: object) => Promise<any>;

async function flood(call: Call, pid: number, chunks: number): Promise<FloodOutcome> {
  const { message } = await call('ws_start', { addr: '127.0.0.1:0' });
  const { id } = await call('process_start', { command: process.execPath, args: ['flood.cjs', String(chunks)] });
  const subscribe = () => openSubscriber(/ws:\S+/.exec(message)![0], `process:${id}`);
  const [fast, deaf, slow] = [await subscribe(), await subscribe(), await subscribe()];
  const closed = Promise.all([deaf, slow].map(closeCode));
  deaf.pause();
  readSlowly(slow);
  const read = digestToEnd(fast);
  const idle = residentMib(pid);
  forgetPeak(pid);
  const from = performance.now();
  await call('process_input', { id, input: 'go\n' });
  const isWhole = (await read) === digestOf(chunks);
  const seconds = (performance.now() - from) / 1_000;
  const peak = peakMib(pid);
  const { clients } = await call('ws_info');
  // They find out once they read.
  slow.removeAllListeners('message');
  for (const socket of [deaf, slow]) socket.resume();
  const codes = await closed;
  fast.terminate();
  return { isWhole, seconds, idle, peak, codes, clients };
}

async function openSubscriber(url: string, channel: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'subscribe', data: channel }));
  socket.send('{"type":"ping"}');
  await once(socket, 'message');
  return socket;
}

function readSlowly(socket: WebSocket): void {
  socket.on('message', (data: Buffer) => {
    socket.pause();
    setTimeout(() => socket.resume(), data.length / SLOW_BYTES_PER_MS);
  });
}

const closeCode = (socket: WebSocket): Promise<number> => new Promise((resolve) => socket.on('close', resolve));

function digestToEnd(socket: WebSocket): Promise<string> {
  const read = createHash('sha256');
  return new Promise((resolve) => {
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString());
      if (message.type === 'process_output') read.update(message.data);
      if (message.type === 'process_status') resolve(read.digest('hex'));
    });
    socket.on('close', () => resolve('closed'));
  });
}

function digestOf(chunks: number): string {
  const written = createHash('sha256');
  for (let index = 0; index < chunks; index++) written.update(chunkOf(index));
  return written.digest('hex');
}
