import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { freshHome, openServe, temporaryFolder, writeConfig } from '../gateway.ts';
import { type AtEnd, atEnd } from '../shared.ts';
import { RawClient } from './raw-client.ts';

/** A gateway that takes clients over TCP. */
export interface TcpServing {
  /** Address of its HTTP endpoint. */
  readonly url: string;
  readonly tcp: string;
  readonly env: NodeJS.ProcessEnv;
  readonly config: string;
  readonly folder: string;
}

/** Opens a gateway with this config on free ports. */
export async function openTcpServe(config: object, env: NodeJS.ProcessEnv = freshHome()): Promise<TcpServing> {
  const folder = temporaryFolder();
  const { server, ...rest } = config as { server?: object };
  const file = writeConfig({ lists: { graceMs: 20_000 }, server: { tcp: '127.0.0.1:0', ...server }, ...rest }, folder);
  const { url } = await openServe(file, env);
  return { url, tcp: recordedTcp(env)!, env, config: file, folder };
}

/** The TCP address in the record of the gateway that runs in this environment. */
export function recordedTcp({ VIADUCT_HOME }: NodeJS.ProcessEnv): string | undefined {
  const folder = path.join(VIADUCT_HOME!, 'run');
  const name = readdirSync(folder).find((each) => each.endsWith('.json'))!;
  return JSON.parse(readFileSync(path.join(folder, name), 'utf8')).tcp;
}

/** Connects to `tcp://…` or `unix://…`; ends with the test, or when `whenDone` says. */
export async function dialTcp(url: string, whenDone: AtEnd = atEnd): Promise<Socket> {
  const { protocol, hostname, port, pathname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const where = protocol === 'unix:' ? { path: pathname } : { host, port: Number(port) };
  const socket = connect({ ...where, allowHalfOpen: true });
  whenDone(() => void socket.destroy());
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return socket;
}

/** A client that has not said anything yet. */
export async function connectTcp(url: string, whenDone?: AtEnd): Promise<RawClient & { readonly socket: Socket }> {
  const socket = await dialTcp(url, whenDone);
  return Object.assign(new RawClient(socket, socket), { socket });
}

/** Sends bytes, and resolves with everything that comes back until the gateway hangs up. */
export async function sendToEnd(url: string, bytes: string | Buffer, isEnding = false): Promise<string> {
  const socket = await dialTcp(url);
  const pieces: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => pieces.push(chunk));
  if (isEnding) socket.end(bytes);
  else socket.write(bytes);
  await new Promise<void>((resolve) => socket.once('end', resolve).once('close', () => resolve()));
  socket.destroy();
  return Buffer.concat(pieces).toString();
}

/** The line of a request. */
export function line(method: string, params: object = {}, id: unknown = 1): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
}

/** The params of `initialize`, with what is said to the gateway alone. */
export function introduction(meta?: object, name = 'raw'): object {
  const clientInfo = { name, version: '1' };
  return { protocolVersion: '2025-11-25', capabilities: {}, clientInfo, ...(meta !== undefined && { _meta: meta }) };
}

const KEY = 'io.modelcontextprotocol/';

/** Params of a request of 2026-07-28. */
export function modernParams(params: object = {}, meta: object = {}): object {
  const envelope = {
    [`${KEY}protocolVersion`]: '2026-07-28',
    [`${KEY}clientCapabilities`]: {},
    [`${KEY}clientInfo`]: { name: 'raw', version: '1' },
  };
  return { ...params, _meta: { ...envelope, ...meta } };
}
