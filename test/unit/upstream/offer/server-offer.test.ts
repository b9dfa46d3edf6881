import { describe, expect, test } from 'vitest';
import { EMPTY_LISTING } from '../../../../src/core/providers/provider.ts';
import { ServerOffer } from '../../../../src/upstream/offer/server-offer.ts';
import { entryOf } from '../entries.ts';

const LISTING = { ...EMPTY_LISTING, tool: [{}] };

interface Given {
  readonly state?: string;
  readonly known?: readonly string[];
  readonly facts?: object;
  readonly instructions?: boolean;
}

function open({ state = 'ready', known = [], facts, instructions = true }: Given = {}) {
  const asked: string[] = [];
  const parts = {
    connection: { state: { name: state, since: 0 } },
    lists: {
      known: { listing: LISTING, withheld: [], isKnown: (kind: string) => known.includes(kind) },
      acceptsUnlisted: (kind: string, name: string) => asked.push(`${kind} ${name}`) > 0,
    },
    declared: { known: { extensions: {} } },
    record: { facts },
  };
  return { offer: new ServerOffer({ entry: entryOf({ instructions }) } as never, parts as never, {} as never), asked };
}

test('a server that is not there shows its lists only while it may come back', () => {
  expect(open().offer.listing()).toBe(LISTING);
  expect(open({ state: 'failed' }).offer.listing()).toBe(EMPTY_LISTING);
  expect(open({ state: 'failed' }).offer.knownListing).toBe(LISTING);
});

test('a list is known once it was read, or once the server does not start any more', () => {
  const isKnown = (state: string, known: readonly string[] = []) => open({ state, known }).offer.isKnown('tool');
  expect([isKnown('idle'), isKnown('starting'), isKnown('backoff')]).toEqual([false, false, true]);
  expect([isKnown('idle', ['tool']), isKnown('starting', ['prompt'])]).toEqual([true, false]);
  expect([open({ known: ['tool'] }).offer.knowsTools, open().offer.knowsTools]).toEqual([true, false]);
});

describe('names that no list has', () => {
  test('of resources are taken only where the server has resources', () => {
    for (const kind of ['resource', 'template'] as const) {
      const none = open({ facts: { capabilities: {} } });
      expect([none.offer.acceptsUnlisted(kind, 'r://a'), none.asked]).toEqual([false, []]);
      expect(open().offer.acceptsUnlisted(kind, 'r://a')).toBe(false);
      const some = open({ facts: { capabilities: { resources: {} } } });
      expect([some.offer.acceptsUnlisted(kind, 'r://a'), some.asked]).toEqual([true, [`${kind} r://a`]]);
    }
  });

  test('of tools need no capability', () => {
    const { offer, asked } = open();
    expect([offer.acceptsUnlisted('tool', 't'), asked]).toEqual([true, ['tool t']]);
  });
});

test('instructions are shown unless the config leaves them out', () => {
  const facts = { instructions: 'Read this', era: 'modern', capabilities: {} };
  const { offer } = open({ facts });
  expect([offer.instructions(), offer.era(), offer.declared()]).toEqual(['Read this', 'modern', { extensions: {} }]);
  expect(open({ facts, instructions: false }).offer.instructions()).toBeUndefined();
  expect(open().offer.era()).toBeUndefined();
});
