import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf, type StateFacts, StateSeal } from '../../../src/era/request-state.ts';
import { type CallText, readCallText } from '../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../src/wire/message.ts';
import { jsonTexts } from '../wire/arbitraries.ts';

const keysOf = (letter: string) => ({
  key: Buffer.alloc(32, letter),
  instance: Buffer.alloc(6, letter).toString('hex'),
});
const seal = new StateSeal(keysOf('a'));
const facts: StateFacts = { callId: 'call', nonce: 'nonce', expiresAt: 1_800_000_000_000, digest: 'abc-_' };

describe('a state', () => {
  test('says what went into it, and no client can read anything of the call in it', () => {
    const times = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), times, (callId, nonce, expiresAt) => {
        const given = { callId, nonce, expiresAt, digest: facts.digest };
        expect(seal.open(seal.seal(given))).toEqual(given);
      }),
    );
    expect(seal.seal(facts)).toMatch(/^[\w.-]+$/);
  });

  test('that was changed anywhere is refused', () => {
    const state = seal.seal(facts);
    const characters = fc.string({ unit: 'binary', minLength: 1, maxLength: 2 });
    const changes = fc.oneof(
      fc.tuple(fc.nat(state.length - 1), characters).map(([at, by]) => state.slice(0, at) + by + state.slice(at + 1)),
      fc.tuple(fc.nat(state.length), characters).map(([at, by]) => state.slice(0, at) + by + state.slice(at)),
      fc.nat(state.length - 1).map((at) => state.slice(0, at) + state.slice(at + 1)),
      fc.nat(state.length - 1).map((at) => state.slice(0, at)),
      fc.constantFrom(state.toUpperCase(), ` ${state}`, `${state}=`, `${state}.`, '', '.', 'viaduct'),
    );
    fc.assert(
      fc.property(changes, (changed) => {
        fc.pre(changed !== state);
        expect(seal.open(changed)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('made of the parts of two others is refused', () => {
    const [one, other] = [seal.seal(facts), seal.seal({ ...facts, expiresAt: facts.expiresAt + 1 })].map((state) =>
      state.split('.'),
    ) as [string[], string[]];
    for (const [index] of one.entries()) {
      const mixed = one.map((part, at) => (at === index ? other[at]! : part)).join('.');
      if (mixed !== one.join('.') && mixed !== other.join('.')) expect(seal.open(mixed)).toBeUndefined();
    }
  });

  test('of another gateway is none of ours', () => {
    const foreign = new StateSeal(keysOf('b')).seal(facts);
    expect(seal.isOwn(foreign)).toBe(false);
    expect(seal.open(foreign)).toBeUndefined();
    expect(seal.isOwn(seal.seal(facts))).toBe(true);
    // With our head and its tail.
    const [head] = /^viaduct\.[0-9a-f]+\./.exec(seal.seal(facts))!;
    const dressedUp = foreign.replace(/^viaduct\.[0-9a-f]+\./, head);
    expect(seal.isOwn(dressedUp)).toBe(true);
    expect(seal.open(dressedUp)).toBeUndefined();
  });

  test('is the same for the same keys and facts', () => {
    expect(new StateSeal(keysOf('a')).seal(facts)).toBe(seal.seal(facts));
    expect(new StateSeal({ ...keysOf('a'), key: Buffer.alloc(32, 'b') }).open(seal.seal(facts))).toBeUndefined();
  });
});

describe('what a state is bound to', () => {
  const callOf = (params: string, method = 'tools/call'): CallText => {
    const json = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
    return readCallText(readMessage(Frame.of(Buffer.from(json))) as RequestMessage) as CallText;
  };
  const digest = (params: string, identity = 'me', method?: string) => digestOf(identity, callOf(params, method));
  const CALL = '{"name":"t","arguments":{"a":1,"b":[{"x":1,"y":2}]}}';

  test.each([
    ['keys in another order', '{"arguments":{"b":[{"y":2,"x":1}],"a":1},"name":"t"}'],
    [
      'other white space and spelling',
      '{ "name" : "\\u0074", "arguments" : { "a" : 1.0, "\\u0062":[{"x":1,"y":2}] } }',
    ],
    ['what belongs to the second try', `{"requestState":"s","inputResponses":{},"_meta":{"z":1},${CALL.slice(1)}`],
  ])('%s make no difference', (_what, params) => {
    expect(digest(params)).toBe(digest(CALL));
  });

  test.each([
    ['another tool', CALL.replace('"t"', '"u"'), 'me', 'tools/call'],
    ['other arguments', CALL.replace('"a":1', '"a":2'), 'me', 'tools/call'],
    ['elements in another order', '{"name":"t","arguments":{"a":[1,2]}}', 'me', 'tools/call'],
    ['no arguments', '{"name":"t"}', 'me', 'tools/call'],
    ['another client', CALL, 'you', 'tools/call'],
    ['another method', CALL, 'me', 'prompts/get'],
  ])('%s do', (_what, params, identity, method) => {
    expect(digest(params, identity, method)).not.toBe(digest(CALL));
  });

  test('arguments of every kind have a digest', () => {
    fc.assert(
      fc.property(jsonTexts, (args) => {
        expect(digest(`{"name":"t","arguments":${args}}`)).toMatch(/^[\w-]{22}$/);
      }),
    );
  });
});
