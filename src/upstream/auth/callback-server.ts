import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '../../core/addresses/listen.ts';

const HOST = '127.0.0.1';
const PATH = '/callback';
const MAX_URL = 16_384;
const GOODBYE_MS = 300;

/** The loopback address to which the browser returns after a login. */
export interface Callback {
  readonly redirectUri: string;
  /** The parameters that the authorization server sent with the browser; only a request with our `state` counts. */
  readonly answer: Promise<URLSearchParams>;
  close(): void;
}

/**
 * Waits for one browser on a loopback port. If the first of `ports` is taken, the next one is tried; 0 is any.
 * @throws the system's error when none can be had
 */
export async function listenForCallback(ports: readonly number[], state: string): Promise<Callback> {
  let onAnswer: (answer: URLSearchParams) => void = () => undefined;
  const answer = new Promise<URLSearchParams>((resolve) => {
    onAnswer = resolve;
  });
  const server = createServer({ maxHeaderSize: MAX_URL }, (request, response) => {
    const found = answerIn(request, redirectUriOf(server), state);
    reply(response, found !== undefined);
    if (found !== undefined) onAnswer(found);
  });
  await listenOnOne(server, ports);
  return {
    redirectUri: redirectUriOf(server),
    answer,
    close: () => {
      server.close();
      // The page is on its way, and its connection should end behind it.
      setTimeout(() => server.closeAllConnections(), GOODBYE_MS);
    },
  };
}

async function listenOnOne(server: Server, ports: readonly number[]): Promise<void> {
  const [port = 0, ...others] = ports;
  try {
    // A browser that cannot be let in says so itself.
    await listen(server, { host: HOST, port }, () => undefined);
  } catch (error) {
    if (others.length === 0) throw error;
    await listenOnOne(server, others);
  }
}

const redirectUriOf = (server: Server): string => `http://${HOST}:${(server.address() as AddressInfo).port}${PATH}`;

/** Any page in the browser may send requests here, so requests without the state are ignored. */
function answerIn(request: IncomingMessage, redirectUri: string, state: string): URLSearchParams | undefined {
  const own = new URL(redirectUri);
  if (request.method !== 'GET' || request.headers.host !== own.host) return undefined;
  const path = request.url ?? '';
  if (!path.startsWith('/') || !URL.canParse(path, redirectUri)) return undefined;
  const url = new URL(path, own);
  if (url.origin !== own.origin || url.pathname !== PATH) return undefined;
  return isEqual(url.searchParams.get('state') ?? '', state) ? url.searchParams : undefined;
}

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function reply(response: ServerResponse, isOurs: boolean): void {
  const text = isOurs
    ? 'Viaduct has got the answer. You can close this page.'
    : 'This is not the login that Viaduct waits for.';
  response.writeHead(isOurs ? 200 : 400, {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(`${text}\n`);
}
