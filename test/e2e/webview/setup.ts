import { CHROMIUM } from '../../support/chromium.ts';
import { connectStdio, freshHome, writeConfig } from '../../support/gateway.ts';
import type { RawClient } from '../../support/raw-client.ts';

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
