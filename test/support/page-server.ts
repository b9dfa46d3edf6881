import type { ServerResponse } from 'node:http';
import { type HttpServer, type SeenRequest, startHttpServer } from './http-server.ts';

/** HTML of a page, or a function that answers the request itself. */
export type PageRoute = string | ((response: ServerResponse, request: SeenRequest) => unknown);

export interface PageServer extends Pick<HttpServer, 'port' | 'requests' | 'stop'> {
  /** Origin of the pages: `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The same pages on another site: `http://localhost:PORT`. */
  readonly otherSite: string;
  /** Adds a page, or replaces one. Returns its address. */
  route(path: string, page: PageRoute): string;
}

/** Serves pages to a browser. A path without a route is answered with 404 and a page. It ends with the test. */
export async function servePages(routes: Readonly<Record<string, PageRoute>> = {}): Promise<PageServer> {
  const table = new Map(Object.entries(routes));
  const server = await startHttpServer((request, response) => {
    const route = table.get(request.path.split('?')[0]!);
    if (typeof route === 'function') return route(response, request);
    return sendPage(response, route ?? '<h1>Not found</h1>', route === undefined ? 404 : 200);
  });
  const { port, requests } = server;
  const origin = `http://127.0.0.1:${port}`;
  const route = (path: string, page: PageRoute) => {
    table.set(path, page);
    return `${origin}${path}`;
  };
  return { port, requests, stop: () => server.stop(), origin, otherSite: `http://localhost:${port}`, route };
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
