import type { ServerResponse } from 'node:http';
import { type HttpServer, type SeenRequest, startHttpServer } from './http-server.ts';

/** HTML of a page (a script where the path ends with .js), also with a status and headers, or what answers the request itself. */
export type PageRoute = string | PageAnswer | ((response: ServerResponse, request: SeenRequest) => unknown);

interface PageAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly html?: string;
}

export interface PageServer extends Pick<HttpServer, 'port' | 'requests' | 'stop'> {
  /** Origin of the pages: `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The same pages on another site: `http://localhost:PORT`. */
  readonly otherSite: string;
  /** Paths that were asked for, in their order. */
  asked(): readonly string[];
  /** Adds a page, or replaces one. Returns its address. */
  route(path: string, page: PageRoute): string;
}

/** Serves pages to a browser. A path without a route is answered with 404 and a page. It ends with the test. */
export async function servePages(routes: Readonly<Record<string, PageRoute>> = {}): Promise<PageServer> {
  const table = new Map(Object.entries(routes));
  const server = await startHttpServer((request, response) => {
    const path = request.path.split('?')[0]!;
    const route = table.get(path) ?? { status: 404, html: '<h1>Not found</h1>' };
    if (typeof route === 'function') return route(response, request);
    if (typeof route === 'object') return sendAnswer(response, route);
    if (path.endsWith('.js'))
      return sendAnswer(response, { headers: { 'content-type': 'text/javascript' }, html: route });
    return sendPage(response, route);
  });
  const { port, requests } = server;
  const origin = `http://127.0.0.1:${port}`;
  const route = (path: string, page: PageRoute) => {
    table.set(path, page);
    return `${origin}${path}`;
  };
  const asked = () => requests.map(({ path }) => path);
  return { port, requests, asked, stop: () => server.stop(), origin, otherSite: `http://localhost:${port}`, route };
}

function sendAnswer(response: ServerResponse, { status = 200, headers = {}, html = '' }: PageAnswer): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(html);
}

/** Answers a request with a page. */
export function sendPage(response: ServerResponse, html: string, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(`<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">${html}`);
}

/** Returns the answer that sends a browser to another address. */
export function redirectTo(location: string, status = 302): PageRoute {
  return (response) => response.writeHead(status, { location }).end();
}
