import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ClientFacts } from '../../../../src/core/providers/provider.ts';
import { claimsModern, readEnvelope, withEnvelope, withoutEnvelope } from '../../../../src/era/modern/envelope.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { type CallText, readCallText } from '../../../../src/wire/edits/call-text.ts';
import { type Edit, Frame } from '../../../../src/wire/frame.ts';
import { lastMember, membersOf, typeOfByte } from '../../../../src/wire/lens.ts';
import { paramsOf, type RequestMessage, readMessage } from '../../../../src/wire/message.ts';
import { jsonTexts, oneLine } from '../../wire/arbitraries.ts';
import { memberSlices, memberTexts, objectText, spaces } from '../../wire/object-texts.ts';

const KEY = 'io.modelcontextprotocol/';

const messageOf = (params: string | undefined): RequestMessage => {
  const tail = params === undefined ? '' : `,"params":${params}`;
  return readMessage(Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call"${tail}}`))) as RequestMessage;
};

const callOf = (params: string): CallText => {
  const call = readCallText(messageOf(params));
  if ('problem' in call) throw new Error(call.problem);
  return call;
};

/** The params after these edits. */
function edited({ message }: CallText, edits: readonly Edit[]): string {
  const bytes = toBuffer(message.frame.splice([...edits].sort((a, b) => a.start - b.start)));
  const { params } = readMessage(Frame.of(bytes)) as RequestMessage;
  return bytes.toString('utf8', params!.start, params!.end);
}

/** The members of params, and of their `_meta`, each as it is spelt. */
function spelt(params: string): { members: string[]; meta: string[] | undefined } {
  const text = Buffer.from(params);
  const all = membersOf(text);
  const meta = lastMember(all, '_meta');
  return {
    members: memberSlices(text).filter((_, index) => all[index]!.key !== '_meta'),
    meta: meta === undefined || typeOfByte(text[meta.start]) !== 'object' ? undefined : memberSlices(text, meta),
  };
}

const CLIENT: ClientFacts = {
  era: 'legacy',
  clientId: 'c',
  folderRule: undefined,
  capabilities: '{"roots":{}}',
  clientInfo: '{"name":"c"}',
  logLevel: 'info',
};

const ENVELOPE_KEYS = ['protocolVersion', 'clientCapabilities', 'clientInfo', 'logLevel'].map((name) => KEY + name);
/** The same key, spelt in two ways. */
const envelopeKeys = fc
  .constantFrom(...ENVELOPE_KEYS)
  .chain((key) => fc.constantFrom(`"${key}"`, `"${key.replace('/', '\\/')}"`));
const isOfEnvelope = (member: string) =>
  ENVELOPE_KEYS.includes(JSON.parse(/^"(?:[^"\\]|\\.)*"/.exec(member)![0]) as string);

const otherKeys = fc.constantFrom('"x"', '"y"', '"\\u0078"', '"__proto__"', '"name "');
const metaKeys = fc.oneof(otherKeys, fc.constantFrom('"traceparent"', '"io.modelcontextprotocol/serverInfo"'));
const metas = (keys: fc.Arbitrary<string>) =>
  fc
    .tuple(fc.array(memberTexts(keys), { maxLength: 4 }), spaces)
    .map(([members, inside]) => objectText(members, inside));

/** Params of a call: its name and, anywhere, other members; `_meta` is one of these, if it is there. */
const paramsWith = (meta: fc.Arbitrary<string>, others: fc.Arbitrary<string> = otherKeys) =>
  fc
    .tuple(
      fc.array(memberTexts(others), { maxLength: 3 }),
      fc.option(memberTexts(fc.constantFrom('"_meta"', '"\\u005fmeta"'), meta)),
      memberTexts(fc.constant('"name"'), fc.constant('"tool"')),
      fc.tuple(fc.nat(4), fc.nat(4)),
    )
    .map(([members, metaMember, name, [nameAt, metaAt]]) => {
      const all = [...members];
      all.splice(Math.min(nameAt, all.length), 0, name);
      if (metaMember !== null) all.splice(Math.min(metaAt, all.length), 0, metaMember);
      return objectText(all);
    });

describe('the envelope', () => {
  const legacyParams = paramsWith(
    fc.oneof(metas(fc.oneof(metaKeys, envelopeKeys)), fc.constantFrom('null', '1', '[]', '"x"')),
  );

  test('is all that a legacy request gains, and says who calls', () => {
    fc.assert(
      fc.property(legacyParams, (params) => {
        const call = callOf(params);
        const before = spelt(oneLine(params));
        const result = edited(call, withEnvelope(call, CLIENT));
        const after = spelt(result);
        expect(after.members).toEqual(before.members);
        expect(after.meta!.filter((member) => !isOfEnvelope(member))).toEqual(
          (before.meta ?? []).filter((member) => !isOfEnvelope(member)),
        );
        // One of each, even if the client sent members with these names.
        expect(after.meta!.filter(isOfEnvelope)).toEqual([
          `"${KEY}protocolVersion":"2026-07-28"`,
          `"${KEY}clientCapabilities":{"roots":{}}`,
          `"${KEY}clientInfo":{"name":"c"}`,
          `"${KEY}logLevel":"info"`,
        ]);
        expect(() => JSON.parse(result)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  test('added and taken away again leaves the request as it was', () => {
    fc.assert(
      fc.property(legacyParams, (params) => {
        const call = callOf(params);
        const modern = callOf(edited(call, withEnvelope(call, CLIENT)));
        const { members, meta } = spelt(edited(modern, withoutEnvelope(modern)));
        const before = spelt(oneLine(params));
        expect(members).toEqual(before.members);
        // A `_meta` that is empty, or no object, is as good as none.
        expect(meta ?? []).toEqual((before.meta ?? []).filter((member) => !isOfEnvelope(member)));
      }),
      { numRuns: 300 },
    );
  });

  test('is all that a modern request loses, beside what belongs to a second try', () => {
    const retryKeys = fc.constantFrom('"inputResponses"', '"requestState"', '"request\\u0053tate"');
    const modernParams = paramsWith(metas(fc.oneof(metaKeys, envelopeKeys)), fc.oneof(otherKeys, retryKeys));
    fc.assert(
      fc.property(modernParams, (params) => {
        const call = callOf(params);
        const before = spelt(oneLine(params));
        const result = edited(call, withoutEnvelope(call));
        const after = spelt(result);
        expect(after.members).toEqual(before.members.filter((member) => !/^"(inputR|request)/.test(member)));
        const left = before.meta?.filter((member) => !isOfEnvelope(member));
        const isBare = left?.length === 0 && before.meta!.length > 0;
        expect(after.meta).toEqual(isBare ? undefined : left);
        expect(() => JSON.parse(result)).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    [`{"_meta":{"${KEY}protocolVersion":"v"},"name":"t"}`, '{"name":"t"}'],
    [`{ "name":"t" , "_meta":{"${KEY}protocolVersion":"v"} }`, '{ "name":"t" }'],
    [`{"name":"t","_meta":{ "k": 1.0 ,"${KEY}logLevel":"x"}}`, '{"name":"t","_meta":{ "k": 1.0}}'],
    [`{"name":"t","_meta":{"${KEY}clientInfo":{},"k":1e400}}`, '{"name":"t","_meta":{"k":1e400}}'],
    ['{"name":"t","_meta":{}}', '{"name":"t","_meta":{}}'],
    ['{"name":"t","_meta":null}', '{"name":"t","_meta":null}'],
    ['{"requestState":"s","inputResponses":{},"name":"t"}', '{"name":"t"}'],
  ])('%s for a legacy server: %s', (params, expected) => {
    const call = callOf(params);
    expect(edited(call, withoutEnvelope(call))).toBe(expected);
  });

  test('has no word of a client that says nothing of itself', () => {
    const call = callOf('{"name":"t"}');
    const nobody: ClientFacts = { ...CLIENT, capabilities: '{}', clientInfo: undefined, logLevel: undefined };
    expect(edited(call, withEnvelope(call, nobody))).toBe(
      `{"_meta":{"${KEY}protocolVersion":"2026-07-28","${KEY}clientCapabilities":{}},"name":"t"}`,
    );
  });
});

describe('reading an envelope', () => {
  const read = (params: string | undefined) => {
    const message = messageOf(params);
    return readEnvelope(message.frame, paramsOf(message));
  };
  const meta = (members: string) => `{"_meta":{${members}}}`;
  const VERSION = `"${KEY}protocolVersion":"v"`;
  const ABLE = `"${KEY}clientCapabilities":{ "roots" : {} }`;
  const LATE = `${'x'.repeat(5_000)}\\x`;

  test('finds it however it is spelt; of several members with one name the last counts', () => {
    expect(read(meta(`${ABLE} , "io.modelcontextprotocol\\/protocolVersion" : "\\u0076"`))).toEqual({
      version: 'v',
      capabilities: '{ "roots" : {} }',
      clientInfo: undefined,
      logLevel: undefined,
    });
    const twice = meta(
      `"${KEY}protocolVersion":1,${VERSION},${ABLE},"${KEY}clientInfo":{"name":"x"},"${KEY}logLevel":"info"`,
    );
    expect(read(twice)).toMatchObject({ version: 'v', clientInfo: '{"name":"x"}', logLevel: 'info' });
  });

  test.each([
    ['no params', undefined, 'protocolVersion'],
    ['params that are a list', '[]', 'protocolVersion'],
    ['no _meta', '{}', 'protocolVersion'],
    ['a _meta that is null', '{"_meta":null}', 'protocolVersion'],
    ['a version that is a number', meta(`"${KEY}protocolVersion":1,${ABLE}`), 'protocolVersion'],
    ['no capabilities', meta(VERSION), 'clientCapabilities'],
    ['capabilities that are null', meta(`${VERSION},"${KEY}clientCapabilities":null`), 'clientCapabilities'],
    ['capabilities in a list', meta(`${VERSION},"${KEY}clientCapabilities":[]`), 'clientCapabilities'],
    ['a client that is a string', meta(`${VERSION},${ABLE},"${KEY}clientInfo":"x"`), 'clientInfo'],
    // Only the beginning of a long string is checked when it arrives.
    [
      'capabilities that are no JSON',
      meta(`${VERSION},"${KEY}clientCapabilities":{"x":"${LATE}"}`),
      'clientCapabilities',
    ],
    ['a client that is no JSON', meta(`${VERSION},${ABLE},"${KEY}clientInfo":{"name":"${LATE}"}`), 'clientInfo'],
  ])('%s: it says what is wrong', (_what, params, name) => {
    expect(read(params)).toEqual({ problem: expect.stringContaining(`${KEY}${name}`) });
  });

  test('never throws', () => {
    const anything = fc.oneof(jsonTexts, paramsWith(metas(fc.oneof(metaKeys, envelopeKeys))));
    fc.assert(
      fc.property(anything, (params) => {
        const message = messageOf(params);
        const found = readEnvelope(message.frame, paramsOf(message));
        if (!('problem' in found)) expect(claimsModern(message.frame, paramsOf(message))).toBe(true);
      }),
    );
  });
});

test.each([
  [undefined, false],
  ['null', false],
  ['{"_meta":null}', false],
  [`{"_meta":{"${KEY}clientCapabilities":{}}}`, false],
  [`{"${KEY}protocolVersion":"v"}`, false],
  [`{"_meta":{"${KEY}protocolVersion":"v"}}`, true],
  [`{"_meta":{"${KEY}protocolVersion":null}}`, true],
])('a request with the params %s means to be modern: %s', (params, expected) => {
  const message = messageOf(params);
  expect(claimsModern(message.frame, paramsOf(message))).toBe(expected);
});
