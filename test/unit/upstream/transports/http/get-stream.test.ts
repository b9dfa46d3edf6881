import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { beginEvents, startHttpServer } from '../../../../support/http/http-server.ts';
import { INITIALIZED, initialize, legacy, open } from './opened.ts';

/**
 * A server that takes each request for its stream as the function for that number says, the last one for all that follow.
 * From the first of them on, time stands still: the pause before the next is the only timer that there is.
 */
async function startStreams(...takes: readonly ((response: ServerResponse) => void)[]) {
  let gets = 0;
  onTestFinished(() => void vi.useRealTimers());
  const server = await startHttpServer(
    legacy((request, response) => {
      if (request.method === 'GET' && gets === 0) vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
      if (request.method === 'GET') takes[Math.min(gets++, takes.length - 1)]!(response);
      else response.writeHead(202).end();
    }),
  );
  return { server, gets: () => gets };
}

const say =
  (status: number, headers: object = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers as never).end();
  };
const stream = (response: ServerResponse): void => beginEvents(response)(': here\n\n');

/** Polling would make time go on. */
async function openTo({ url }: { url: string }) {
  const opened = await open(url);
  opened.send(initialize(1));
  await turnsUntil(() => opened.frames.length === 1);
  opened.send(INITIALIZED);
  await turnsUntil(() => vi.isFakeTimers());
  return opened;
}

async function turnsUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets time go by until the stream is asked for once more; gives the seconds that it took. */
async function pauseOf(gets: () => number): Promise<number> {
  const before = gets();
  await turnsUntil(() => vi.getTimerCount() === 1);
  const begin = Date.now();
  vi.advanceTimersToNextTimer();
  const seconds = (Date.now() - begin) / 1_000;
  await turnsUntil(() => gets() > before);
  return seconds;
}

describe('the stream of a server', () => {
  test.each([
    [401, {}, 1],
    [403, {}, 1],
    [408, {}, 1],
    [425, {}, 1],
    [429, {}, 1],
    [429, { 'retry-after': '13' }, 13],
    [503, { 'retry-after': '7' }, 7],
    [500, {}, 1],
    [429, { 'retry-after': '86400' }, 300],
  ])('that is refused with HTTP %s (%j) is opened again after %s s', async (status, headers, seconds) => {
    const { server, gets } = await startStreams(say(status, headers), stream);
    const { closed } = await openTo(server);
    expect(await pauseOf(gets)).toBe(seconds);
    expect(closed).toEqual([]);
  });

  test('that is refused again and again is asked for after growing pauses', async () => {
    const { server, gets } = await startStreams(say(429));
    await openTo(server);
    const pauses: number[] = [];
    for (let count = 2; count < 9; count++) pauses.push(await pauseOf(gets));
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  test('that is refused for want of a login is asked for ever more rarely, and at once after one', async () => {
    const { server, gets } = await startStreams(say(401));
    const { transport } = await openTo(server);
    const pauses: number[] = [];
    for (let count = 2; count < 12; count++) pauses.push(await pauseOf(gets));
    await turnsUntil(() => vi.getTimerCount() === 1);
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300]);
    transport.onCredentialsChanged!();
    await turnsUntil(() => gets() === 12);
  });

  test.each([405, 501, 400])('that does not exist (HTTP %s) is asked for once, whoever logs in', async (status) => {
    const { server, gets } = await startStreams(say(status));
    const { send, transport } = await openTo(server);
    // What follows is sent, and answered, after the refusal was heard.
    for (const id of ['first', 'second']) {
      send({ id, result: {} });
      await turnsUntil(() => server.requests.some(({ message }) => message?.id === id));
      vi.advanceTimersByTime(600_000);
      transport.onCredentialsChanged!();
    }
    expect([gets(), vi.getTimerCount()]).toEqual([1, 0]);
  });

  test('that was away may have missed something, unless it goes on where it was', async () => {
    const withId = (response: ServerResponse) => {
      beginEvents(response)('id: 1\ndata:\n\n');
      response.end();
    };
    const { server, gets } = await startStreams(say(429), withId, say(429), stream);
    const { missed } = await openTo(server);
    await pauseOf(gets);
    await turnsUntil(() => missed() === 1);
    await pauseOf(gets);
    await pauseOf(gets);
    await turnsUntil(() => vi.getTimerCount() === 0);
    expect([gets(), missed()]).toEqual([4, 1]);
  });
});
