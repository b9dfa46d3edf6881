import { describe, expect, test } from 'vitest';
import type { Era } from '../../../../src/core/providers/provider.ts';
import type { EraVerdict } from '../../../../src/core/stores/era-cache.ts';
import { ServerEra } from '../../../../src/upstream/connection/server-era.ts';
import { entryOf } from '../entries.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

function open(known: EraVerdict | undefined, era: 'auto' | 'legacy' | '2026-07-28' = 'auto') {
  const kept: (Era | 'forgotten')[] = [];
  let verdict = known;
  const server = new ServerEra(entryOf({ era }), {
    load: () => verdict,
    save: (_entry, found) => {
      kept.push(found);
      verdict = { era: found, at: Date.now() };
    },
    forget: () => {
      kept.push('forgotten');
      verdict = undefined;
    },
  });
  return { server, kept };
}

const now = (era: Era) => ({ era, at: Date.now() - 1_000 });

describe('a server is opened', () => {
  test.each([
    ['as its entry says, whatever is known', now('modern'), 'legacy', 'legacy'],
    ['as its entry says, if it is modern', undefined, '2026-07-28', 'modern'],
    ['as it was not long ago', now('modern'), 'auto', 'assume-modern'],
    ['by asking where nothing is known', undefined, 'auto', 'ask'],
    ['by asking where it was asked long ago', { era: 'modern', at: Date.now() - 2 * DAY_MS }, 'auto', 'ask'],
  ] as const)('%s', (_what, known, era, opening) => {
    expect(open(known, era).server.opening).toBe(opening);
  });

  test('as a legacy one after it ended when it was asked, until it turns out to be modern', () => {
    const { server } = open(undefined);
    server.onDiedOfAsking();
    expect(server.opening).toBe('assume-legacy');
    server.onConnected('modern');
    expect(server.opening).toBe('assume-modern');
  });
});

describe('its era is', () => {
  test('kept when it is new, and not made younger by an assumption that holds', () => {
    const { server, kept } = open(undefined);
    server.onConnected('legacy');
    server.onConnected('legacy');
    server.onConnected('modern');
    expect(kept).toEqual(['legacy', 'modern']);
  });

  test('not kept where its entry says it', () => {
    const { server, kept } = open(undefined, 'legacy');
    server.onConnected('legacy');
    expect(kept).toEqual([]);
  });

  test.each([
    ['assume-modern', ['forgotten']],
    ['assume-legacy', ['forgotten']],
    ['ask', []],
    ['legacy', []],
  ] as const)('forgotten where it was an assumption and there was no connection: %s', (opening, expected) => {
    const { server, kept } = open(now('modern'));
    server.onNotConnected(opening);
    expect(kept).toEqual(expected);
  });
});
