import { CHROMIUM } from '../../support/browser/chromium.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { connectStdio, freshHome, writeConfig } from '../../support/gateway.ts';

/** Result of a tool: its structured content, or the text of its error. */
export type Call = (tool: string, args?: object) => Promise<any>;

export interface Browsing {
  readonly client: RawClient;
  /** Calls a tool by its name without `webview_`. */
  readonly call: Call;
  /** Does the same, and returns the whole result. */
  readonly raw: Call;
}

/** Options with which a browser can be started here: root may not use the sandbox. */
export const OPTIONS = {
  launch: true,
  sandbox: process.getuid?.() !== 0,
  ...(CHROMIUM !== undefined && { browser: CHROMIUM }),
};

/** Connects a client to a gateway with the workflow; it has no browser yet. */
export async function openBrowsing(options: object = {}, env = freshHome(), more: object = {}): Promise<Browsing> {
  const config = writeConfig({
    enabledWorkflows: ['webview'],
    workflows: { webview: { ...OPTIONS, ...options } },
    ...more,
  });
  return browsingOf(await connectStdio(config, { env }));
}

export function browsingOf(client: RawClient): Browsing {
  const raw: Call = async (tool, args = {}) => {
    const { value } = await client.request('tools/call', { name: `webview_${tool}`, arguments: args });
    return value.result ?? value.error;
  };
  const call: Call = async (tool, args) => {
    const result = await raw(tool, args);
    return result.isError === true
      ? { isError: true, text: result.content[0].text }
      : (result.structuredContent ?? result);
  };
  return { client, call, raw };
}

/** Connects a client that has a browser, on a page of its own. */
export async function browse(options: object = {}): Promise<Browsing> {
  const browsing = await openBrowsing(options);
  await browsing.call('connect');
  return browsing;
}

/** A client of its own over HTTP. */
export async function httpBrowsing(url: string): Promise<Browsing> {
  let session: string | undefined;
  let id = 0;
  const post = async (method: string, params: object, isCall = true) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...(isCall && { id: ++id }), method, params }),
    });
    session ??= response.headers.get('mcp-session-id') ?? undefined;
    const text = await response.text();
    const data = text.startsWith('{')
      ? text
      : text
          .split('\n')
          .filter((line) => line.startsWith('data: ') && line.includes(`"id":${id}`))
          .at(-1)
          ?.slice(6);
    return { value: JSON.parse(data ?? 'null') };
  };
  await post('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  await post('notifications/initialized', {}, false);
  return browsingOf({ request: post } as any);
}

/** Asks again until there is an answer. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
