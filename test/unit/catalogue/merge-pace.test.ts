import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import { Offering } from './provider.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const turn = () => new Promise(setImmediate);

/** A catalogue whose merges take so long. */
function open(mergeMs: number) {
  const source = new Catalogue({ maxNameLength: () => 64 });
  const up = new Offering('up');
  let notices = 0;
  source.openView(undefined, () => {
    notices++;
    vi.advanceTimersByTime(mergeMs);
  });
  source.setProviders([up]);
  const offer = (name: string) => {
    up.offer({ tool: [`{"name":"${name}"}`] });
    source.onOffer();
  };
  return { source, offer, up, notices: () => notices };
}

test('changes are told at the end of their turn as long as merges are cheap', async () => {
  const { offer, notices } = open(1);
  for (let count = 1; count <= 20; count++) {
    offer(`t${count}`);
    offer(`u${count}`);
    await turn();
    expect(notices()).toBe(count);
  }
});

test('after a merge that took long, changes are told together a quarter of a second later', async () => {
  const { source, offer, notices } = open(100);
  offer('a');
  await turn();
  for (const name of ['b', 'c', 'd']) {
    offer(name);
    await turn();
  }
  expect(notices()).toBe(1);
  vi.advanceTimersByTime(249);
  expect(notices()).toBe(1);
  vi.advanceTimersByTime(1);
  expect(notices()).toBe(2);
  expect([...source.lists().tool.routes.keys()]).toEqual(['up_d']);
});

test('a list that is asked for is the newest, and nobody waits for an answer longer than needed', async () => {
  const { source, offer, up } = open(100);
  offer('a');
  await turn();
  up.known = false;
  const known = source.openView(undefined, () => undefined).whenKnown(10_000);
  up.known = true;
  offer('b');
  await known;
  expect([...source.lists().tool.routes.keys()]).toEqual(['up_b']);
});
