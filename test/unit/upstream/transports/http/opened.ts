import { expect } from 'vitest';
import type { RemoteEntry } from '../../../../../src/core/settings/upstream-entry.ts';
import { type Answer, type HttpServer, sendJson } from '../../../../support/http/http-server.ts';
import { type Opened, open as openAny, type Surroundings } from '../opened.ts';

interface OpenOptions extends Surroundings, Partial<Pick<RemoteEntry, 'headers' | 'tls'>> {}

/** A connection to a url, and what it reported. */
export function open(url: string, { tools, env, ...changes }: OpenOptions = {}): Promise<Opened> {
  return openAny(url, changes, { ...(tools && { tools }), ...(env && { env }) });
}

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
export const modernCall = (id: number, name: string, args: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: META },
});

export const INITIALIZED = { method: 'notifications/initialized' };
export const initialize = (id: number) => ({ id, method: 'initialize', params: { protocolVersion: '2025-11-25' } });
export const initializeResult = (id: number, protocolVersion = '2025-06-18') => ({
  jsonrpc: '2.0',
  id,
  result: { protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } },
});

/** A legacy server with a session; everything but its opening is for the test to answer. */
export const legacy =
  (rest: Answer, { session = 'session-1' as string | undefined } = {}): Answer =>
  (request, response, raw) => {
    if (request.message?.method === 'initialize') {
      const headers = session === undefined ? {} : { 'mcp-session-id': session };
      sendJson(response, initializeResult(request.message.id), 200, headers);
    } else if (request.message?.method === 'notifications/initialized') response.writeHead(202).end();
    else rest(request, response, raw);
  };

export const noStream = (rest: Answer): Answer =>
  legacy((request, response, raw) => {
    if (request.method === 'GET') response.writeHead(405).end();
    else rest(request, response, raw);
  });

export async function openLegacy(server: HttpServer, options: OpenOptions = {}) {
  const connection = await open(server.url, options);
  connection.send(initialize(1));
  await expect.poll(() => connection.frames.length).toBe(1);
  connection.frames.length = 0;
  connection.send(INITIALIZED);
  await expect.poll(() => server.requests.some(({ method }) => method === 'GET')).toBe(true);
  return connection;
}
