import { describe, expect, test } from 'vitest';
import { GatewayError } from '../../../../src/core/errors.ts';
import type { FolderRule } from '../../../../src/core/folders/folder-rule.ts';
import { modernSetup } from '../modern-setup.ts';

const OPEN = { uri: 'file:///open/a' };
const CLOSED = { uri: 'file:///closed' };

/** A client of which each folder is checked when the test lets it be. */
function setup() {
  const waiting: ((fault?: Error) => void)[] = [];
  const folderRule: FolderRule = {
    admit: (place) =>
      new Promise((resolve, reject) => {
        waiting.push((fault) => {
          if (fault === undefined) resolve(place.startsWith('/open') ? place : undefined);
          else reject(fault);
        });
      }),
    refuse: (place) => new GatewayError('OUTSIDE_WORKSPACE', `${place} is closed`),
  };
  const made = modernSetup({ folderRule });
  const bring = (roots: readonly object[], meta: object = {}) =>
    made.call({ inputResponses: { q: { roots } } }, { meta });
  const check = async (fault?: Error) => {
    while (waiting.length > 0) {
      waiting.shift()!(fault);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { ...made, bring, check };
}

describe('a call that brings roots', () => {
  test('begins once they are checked, with those that its client may name', async () => {
    const { provider, bring, check, client } = setup();
    const asked = bring([OPEN, CLOSED]);
    expect([provider.calls.length, asked.open?.isParked]).toEqual([0, false]);
    await check();
    expect(JSON.parse(provider.last.sent).params.inputResponses).toEqual({ q: { roots: [OPEN] } });
    expect(client.openCalls).toBe(1);
    provider.last.answer('done');
    expect(await asked.answered).toHaveProperty('result');
    expect(asked.events).toEqual([]);
  });

  test.each([
    ['debug', 1],
    ['warning', 1],
    ['error', 0],
  ])('tells its client what was left out, at the level %s: %i messages', async (level, messages) => {
    const { bring, check } = setup();
    const asked = bring([CLOSED], { 'io.modelcontextprotocol/logLevel': level });
    await check();
    expect(asked.events.map(({ method }) => method)).toEqual(
      Array.from({ length: messages }, () => 'notifications/message'),
    );
  });

  test('never begins if it is cancelled before', async () => {
    const { provider, bring, check } = setup();
    const asked = bring([OPEN]);
    asked.open?.cancel();
    expect(asked.isAbandoned).toBe(true);
    await check();
    asked.open?.cancel();
    expect([provider.calls.length, asked.replies]).toEqual([0, 0]);
  });

  test('never begins if its client has gone before', async () => {
    const { provider, bring, check, client } = setup();
    bring([OPEN]);
    client.end();
    await check();
    expect([provider.calls.length, client.openCalls]).toEqual([0, 0]);
  });

  test('is cancelled at its provider once it has begun', async () => {
    const { provider, bring, check } = setup();
    const asked = bring([OPEN]);
    await check();
    asked.open?.cancel('"enough"');
    expect(provider.last.cancelled).toBe('"enough"');
  });

  test('can wait for input as any other', async () => {
    const { provider, bring, check } = setup();
    const asked = bring([OPEN]);
    await check();
    provider.last.elicit('your name?');
    await asked.answered;
    expect(asked.open?.isParked).toBe(true);
  });

  test('fails where they cannot be checked, unless it was cancelled', async () => {
    const { bring, check, provider } = setup();
    const asked = bring([OPEN]);
    await check(new Error('disk'));
    expect(await asked.answered).toMatchObject({ result: { isError: true } });
    const other = bring([OPEN]);
    other.open?.cancel();
    await check(new Error('disk'));
    expect([other.replies, provider.calls.length]).toEqual([0, 0]);
  });
});

test('a call without roots begins at once', () => {
  const { provider, call } = setup();
  call();
  expect(provider.calls).toHaveLength(1);
});
