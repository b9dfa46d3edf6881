import { CdpConnection } from '../cdp/cdp-connection.ts';
import { dialWebSocket } from '../cdp/web-socket-wire.ts';
import { browserFailed } from '../failure.ts';
import { DebugEndpoint, type ListedTarget } from './debug-endpoint.ts';
import type { DebugAddress } from './debug-url.ts';

/** A connection to the user's own browser. Closing it does not change the browser. */
export interface AttachedBrowser {
  readonly connection: CdpConnection;
  /** The page to use; `undefined` if one has to be opened. */
  readonly targetId: string | undefined;
  /** True if the connection is to this page alone, because the browser has no WebSocket of its own. */
  readonly isPageOnly: boolean;
}

export interface AttachOptions {
  readonly address: DebugAddress;
  /** Reserves a page for this client; false if another client has it, or it may not be used. */
  readonly claim: (targetId: string, url: string) => Promise<boolean>;
  /** True if pages that are open already are not to be used. */
  readonly isIsolated: boolean;
  readonly signal: AbortSignal;
}

const ADVICE =
  'Start Chrome with --remote-debugging-port=9222 and a profile of its own (--user-data-dir=FOLDER): a program that controls Chrome can read the cookies of its profile';

/**
 * Connects to a browser that listens for debuggers, and chooses its first page that no other client has.
 * @throws GatewayError that begins with "failed to connect"; the reason of `signal`
 */
export async function attachBrowser(options: AttachOptions): Promise<AttachedBrowser> {
  const { address, signal } = options;
  const endpoint = new DebugEndpoint(address, signal);
  try {
    const path = await endpoint.browserSocketPath();
    if (path === undefined) return await dialPage(endpoint, options);
    const free = await freePage(endpoint, options);
    const connection = new CdpConnection(await dialWebSocket(endpoint.socketUrl(path), signal));
    return { connection, targetId: free?.id, isPageOnly: false };
  } catch (error) {
    signal.throwIfAborted();
    throw browserFailed(`failed to connect: ${address.authority}: ${reasonOf(error)}. ${ADVICE}`, error);
  }
}

async function dialPage(endpoint: DebugEndpoint, options: AttachOptions): Promise<AttachedBrowser> {
  if (options.isIsolated) throw new Error('this browser cannot isolate pages: leave out "isolated"');
  const page = (await freePage(endpoint, options)) ?? (await openPage(endpoint, options));
  if (page.socketPath === undefined) throw new Error('another debugger has its page');
  const connection = new CdpConnection(await dialWebSocket(endpoint.socketUrl(page.socketPath), options.signal));
  return { connection, targetId: page.id, isPageOnly: true };
}

async function openPage(endpoint: DebugEndpoint, { claim }: AttachOptions): Promise<ListedTarget> {
  const page = await endpoint.open();
  await claim(page.id, page.url);
  return page;
}

async function freePage(
  endpoint: DebugEndpoint,
  { claim, isIsolated, signal }: AttachOptions,
): Promise<ListedTarget | undefined> {
  if (isIsolated) return undefined;
  for (const target of await endpoint.list()) {
    // The name of each one's host may have to be looked up.
    signal.throwIfAborted();
    if (target.type === 'page' && (await claim(target.id, target.url))) return target;
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ECONNREFUSED' ? 'nothing listens there' : message;
}
