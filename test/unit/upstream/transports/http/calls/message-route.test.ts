import { describe, expect, test } from 'vitest';
import { MessageRoute } from '../../../../../../src/upstream/transports/http/calls/message-route.ts';
import { Redirects } from '../../../../../../src/upstream/transports/http/calls/redirects.ts';

const ORIGIN = 'http://server.test';
const redirects = () => new Redirects(new URL(`${ORIGIN}/mcp`));

describe('the route of a message', () => {
  test('begins at the configured url and goes on to where redirects lead', () => {
    const route = new MessageRoute(redirects(), 'POST');
    expect(route.url.href).toBe(`${ORIGIN}/mcp`);
    expect(route.follow(307, '/a/b')).toBeUndefined();
    expect(route.follow(307, 'c')).toBeUndefined();
    expect(route.url.href).toBe(`${ORIGIN}/a/c`);
  });

  test('is remembered for later messages of its method while every redirect is permanent', () => {
    const shared = redirects();
    const route = new MessageRoute(shared, 'POST');
    route.follow(308, '/a');
    expect(new MessageRoute(shared, 'POST').url.pathname).toBe('/a');
    expect(new MessageRoute(shared, 'GET').url.pathname).toBe('/mcp');
    route.follow(302, '/b');
    route.follow(301, '/c');
    expect([route.url.pathname, new MessageRoute(shared, 'POST').url.pathname]).toEqual(['/c', '/a']);
  });

  test('is forgotten when the message fails', () => {
    const shared = redirects();
    const route = new MessageRoute(shared, 'POST');
    route.follow(308, '/a');
    route.forget();
    expect(new MessageRoute(shared, 'POST').url.pathname).toBe('/mcp');
  });

  test('ends where a redirect cannot be followed', () => {
    const route = new MessageRoute(redirects(), 'POST');
    expect(route.follow(307, undefined)).toBe('it redirects to nowhere');
    expect(route.follow(307, 'http://other.test/')).toContain('another origin (http://other.test)');
    expect(route.url.pathname).toBe('/mcp');
  });

  test('has five redirects at most', () => {
    const route = new MessageRoute(redirects(), 'POST');
    for (let count = 1; count <= 5; count++) expect(route.follow(307, `/${count}`)).toBeUndefined();
    expect(route.follow(307, '/6')).toBe('it redirects endlessly');
    expect(route.url.pathname).toBe('/5');
  });
});
