import http, { type Agent, type ClientRequest, type RequestOptions } from 'node:http';
import { ImpossibleError } from '../../../core/impossible-error.ts';
import type { RemoteEntry } from '../../../core/settings/upstream-entry.ts';
import { lookupFor } from '../network/local-lookup.ts';
import { proxyFor } from '../network/proxy.ts';
import { readTlsOptions, type TlsOptions } from '../network/tls-options.ts';
import type { TransportContext } from '../transport.ts';

/** Servers end connections on which nothing happens, many of them after five seconds: we are the first to do it. */
const IDLE_SOCKET_MS = 4_000;

/** The agent, request function and TLS options with which connections to one url are made. */
export interface Connections {
  readonly agent: Agent;
  /** The `request` function of `node:http` or of `node:https`. */
  readonly request: (url: URL, options: RequestOptions) => ClientRequest;
  /** The proxy between, as people may see it. */
  readonly proxy: string | undefined;
  readonly tls: TlsOptions;
}

const KEEP = { keepAlive: true, timeout: IDLE_SOCKET_MS };

/**
 * Connections as the entry and the environment want them. What only some upstreams need, TLS and proxies, is loaded for
 * them alone.
 * @throws ImpossibleError when certificates or the proxy cannot be used
 */
export async function openConnections(
  entry: Pick<RemoteEntry, 'url' | 'tls'>,
  { env, log }: Pick<TransportContext, 'env' | 'log'>,
): Promise<Connections> {
  if (!URL.canParse(entry.url)) throw new ImpossibleError('its url is none');
  if (entry.tls?.verify === false) {
    log.warn({ event: 'unverified' }, 'its certificate is not checked (tls.verify: false)');
  }
  const url = new URL(entry.url);
  const proxy = proxyFor(url, env);
  if (!isSecure(url)) {
    const agent =
      proxy === undefined ? new http.Agent({ ...KEEP, ...(await lookupFor(url)) }) : await plainProxy(proxy, url);
    return { agent, request: http.request, proxy: proxy?.origin, tls: {} };
  }
  const [{ default: https }, tls] = await Promise.all([import('node:https'), readTlsOptions(entry)]);
  if (proxy === undefined) {
    const agent = new https.Agent({ ...KEEP, ...(await lookupFor(url)), ...tls });
    return { agent, request: https.request, proxy: undefined, tls };
  }
  return {
    agent: await tunnel(proxy),
    // Its agent has no options for what is behind the tunnel: they go with each request.
    request: (target, options) => https.request(target, { ...options, ...tls }),
    proxy: proxy.origin,
    tls,
  };
}

const isSecure = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'wss:';

/** Returns the agent for a proxy. A WebSocket connection goes through a tunnel: most proxies would not pass it on otherwise. */
async function plainProxy(proxy: URL, { protocol }: URL): Promise<Agent> {
  if (protocol === 'ws:') return tunnel(proxy);
  const { HttpProxyAgent } = await import('http-proxy-agent');
  return new HttpProxyAgent(proxy, KEEP);
}

async function tunnel(proxy: URL): Promise<Agent> {
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  const agent = new HttpsProxyAgent(proxy, KEEP);
  // It forgets what it was given.
  Object.assign(agent.options, { timeout: IDLE_SOCKET_MS });
  return agent;
}
