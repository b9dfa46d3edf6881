import { describe, expect, test } from 'vitest';
import { EMPTY_LISTING } from '../../../../src/core/providers/provider.ts';
import { Offer } from '../../../../src/upstream/offer/offer.ts';
import type { Upstream } from '../../../../src/upstream/upstream.ts';

const LISTING = { ...EMPTY_LISTING, tool: [{}, {}], prompt: [{}], resource: [{}, {}, {}] };

/** A process in a state that the test changes. */
function processIn(state: string, { knowsTools = false, name = 'x' } = {}) {
  const shown = {
    state: { name: state },
    knowsTools,
    knownListing: LISTING,
    listing: () => EMPTY_LISTING,
    isKnown: () => true,
    era: () => 'legacy',
    declared: () => ({ name }),
    withheld: () => [],
    acceptsUnlisted: () => true,
    instructions: () => `use ${name}`,
    status: () => ({ state: shown.state.name, pid: 7, lastError: 'e', counts: {}, key: name }),
  };
  return { shown, status: () => shown.status() } as unknown as Upstream & { shown: typeof shown };
}

const become = (upstream: { shown: { state: unknown } }, name: string) => {
  (upstream.shown as { state: object }).state = { name };
};

describe('of several processes', () => {
  test('the one that is ready leads, the same one as long as it is', () => {
    const offer = new Offer();
    const [one, two] = [processIn('ready'), processIn('ready')];
    expect(offer.last).toEqual([]);
    offer.onChange(one);
    expect(offer.last).toEqual([one]);
    expect(offer.leader([one, two])).toBe(one);
    expect(offer.leader([two, one])).toBe(one);
    become(one, 'starting');
    expect(offer.leader([one, two])).toBe(two);
    become(one, 'ready');
    expect(offer.leader([one, two])).toBe(two);
    expect(offer.shown([one, two])).toBe(two.shown);
  });

  test('one that is not ready takes nothing away', () => {
    const offer = new Offer();
    const [one, two] = [processIn('ready', { name: 'one' }), processIn('starting', { name: 'two' })];
    offer.onChange(one);
    offer.onChange(two);
    expect(offer.last).toEqual([one]);
    become(one, 'stopped');
    expect(offer.leader([two])).toBeUndefined();
    const shown = offer.shown([two])!;
    expect([shown.listing(), shown.instructions(), shown.declared()]).toEqual([LISTING, 'use one', { name: 'one' }]);
    const counts = { tools: 2, prompts: 1, resources: 3, templates: 0 };
    expect(shown.status()).toMatchObject({ key: 'two', state: 'starting', counts });
  });

  test('where none is left, the last one is shown at rest', () => {
    const offer = new Offer();
    const one = processIn('ready');
    offer.onChange(one);
    become(one, 'stopped');
    const status = offer.shown([])!.status();
    expect(status).toMatchObject({
      state: 'idle',
      reason: 'no client uses it now; it is started when one calls',
      counts: { tools: 2 },
    });
    expect(status).not.toHaveProperty('pid');
    expect(status).not.toHaveProperty('lastError');
  });

  test('one that has not given up is shown before the first is ready, else what is known', () => {
    const offer = new Offer();
    const [failed, starting] = [processIn('crash-loop'), processIn('starting')];
    expect(offer.shown([])).toBeUndefined();
    expect(offer.shown([failed, starting])).toBe(starting.shown);
    expect(offer.shown([failed])!.listing()).toBe(LISTING);
  });
});

test('somebody has to find out what there is where nothing is known and all have given up', () => {
  const offer = new Offer();
  const [failed, informed] = [processIn('failed'), processIn('crash-loop', { knowsTools: true })];
  const starting = processIn('starting');
  expect(offer.needsScout([])).toBe(true);
  expect(offer.needsScout([failed])).toBe(true);
  expect(offer.needsScout([failed, starting])).toBe(false);
  expect(offer.needsScout([failed, informed])).toBe(false);
  offer.onChange(processIn('ready'));
  expect(offer.needsScout([failed])).toBe(false);
});
