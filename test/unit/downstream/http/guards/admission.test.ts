import { expect, test } from 'vitest';
import { ANYBODY } from '../../../../../src/downstream/http/auth/credential.ts';
import { Admission, type LeasedRoute } from '../../../../../src/downstream/http/guards/admission.ts';
import { forbidden } from '../../../../../src/downstream/http/guards/reject.ts';

interface Situation {
  readonly headers?: Record<string, string>;
  readonly settings?: object;
  readonly authenticate?: () => unknown;
  readonly sessions?: readonly string[];
  readonly profile?: string | undefined;
  readonly address?: string;
}

/** A request at the doors: the statuses with which it is turned away, and the routes by which it may go on. */
function doors(given: Situation = {}) {
  const { settings = {}, authenticate = () => ANYBODY, sessions = [] } = given;
  const admitted: [LeasedRoute, string | undefined][] = [];
  const events: string[] = [];
  const current = {
    allowedHosts: [] as string[],
    allowedOrigins: [],
    requestsPerMinute: 0,
    behindProxy: false,
    auth: { authenticate },
    ...settings,
  };
  const listener = { port: 80, scheme: 'http', isOwnName: () => false };
  const admission = new Admission({
    settings: () => current as never,
    listener: listener as never,
    sessions: { find: (id: string) => (sessions.includes(id) ? {} : undefined) } as never,
    refusals: { note: (status: number) => events.push(String(status)) } as never,
    profileOf: () => ('profile' in given ? given.profile : 'default'),
    onKnown: (_request, _response, { principal }) => events.push(`known ${principal.id}`),
    onAdmitted: (_request, _response, route, profile) => {
      events.push('admitted');
      admitted.push([route, profile]);
    },
  });
  const request = (more: Record<string, string> = {}, address = given.address ?? '10.0.0.1') =>
    ({
      headers: { host: '127.0.0.1', ...given.headers, ...more },
      rawHeaders: [],
      socket: { remoteAddress: address },
      complete: true,
      method: 'POST',
    }) as never;
  const response = { destroyed: false, writeHead: () => undefined, end: () => undefined };
  const enter = (more?: Record<string, string>, address?: string) =>
    admission.admit(request(more, address), response as never);
  return { admission, admitted, events, current, listener, request, response, enter };
}

test('the guard turns foreign hosts away, and follows the settings and the port', () => {
  const { admission, events, current, listener, request, response } = doors({ headers: { host: 'gw.example:81' } });
  const passes = () => admission.passesGuard(request(), response as never);
  expect([passes(), events]).toEqual([false, ['403']]);
  current.allowedHosts = ['gw.example:81'];
  expect(passes()).toBe(false);
  admission.renewGuard();
  expect(passes()).toBe(true);
  const own = () => admission.passesGuard(request({ host: 'localhost:81' }), response as never);
  expect(own()).toBe(false);
  listener.port = 81;
  admission.renewGuard();
  expect(own()).toBe(true);
});

test('whoever cannot prove who they are reaches nothing, at once or later', async () => {
  const refusal = forbidden(401, 'no');
  for (const authenticate of [() => refusal, () => Promise.resolve(refusal)]) {
    const { enter, events } = doors({ authenticate });
    enter();
    await Promise.resolve();
    expect(events).toEqual(['401']);
  }
});

test('a client that has left while its token was checked is not served', async () => {
  const { enter, events, response } = doors({ authenticate: () => Promise.resolve(ANYBODY) });
  enter();
  response.destroyed = true;
  await Promise.resolve();
  expect(events).toEqual([]);
});

test('the route has the principal, its profile and the end of its token', () => {
  const credential = { principal: { id: 'p', name: 'P' }, expiresAt: 5 };
  const { enter, admitted, events } = doors({ authenticate: () => credential, profile: 'work' });
  enter();
  expect(admitted).toEqual([[{ ...credential, profile: 'work' }, 'work']]);
  expect(events).toEqual(['known p', 'admitted']);
  const other = doors({ authenticate: () => credential, profile: undefined });
  other.enter();
  expect(other.admitted).toEqual([[{ ...credential, profile: 'default' }, undefined]]);
});

test('the rate limit counts a principal as one, wherever it calls from', () => {
  const authenticate = () => ({ principal: { id: 'p', name: 'P' }, expiresAt: Number.POSITIVE_INFINITY });
  const { enter, events } = doors({ authenticate, settings: { requestsPerMinute: 1 } });
  enter();
  enter({}, '10.0.0.2');
  expect(events).toEqual(['known p', 'admitted', 'known p', '429']);
});

test('without principals it counts sessions that there are, else addresses', () => {
  const { enter, events } = doors({ settings: { requestsPerMinute: 1 }, sessions: ['s1', 's2'] });
  enter({ 'mcp-session-id': 's1' });
  enter({ 'mcp-session-id': 's2' });
  enter({ 'mcp-session-id': 'made up' });
  enter({ 'mcp-session-id': 'made up too' });
  enter({}, '10.0.0.2');
  enter({ 'mcp-session-id': 's1' });
  const outcomes = events.filter((event) => !event.startsWith('known'));
  expect(outcomes).toEqual(['admitted', 'admitted', 'admitted', '429', 'admitted', '429']);
});
