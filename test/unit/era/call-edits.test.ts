import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientFacts, Era } from '../../../src/core/providers/provider.ts';
import { eraEdits } from '../../../src/era/call-edits.ts';
import { type InputRequired, retryEdits } from '../../../src/era/input-rounds.ts';
import { META } from '../../../src/era/modern/modern.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { type CallText, readCallText, spliceCall } from '../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../src/wire/message.ts';

const client = (era: Era): ClientFacts => ({
  era,
  clientId: 'c',
  folderRule: undefined,
  capabilities: '{"roots":{}}',
  clientInfo: '{"name":"c"}',
  logLevel: 'info',
});

const ENVELOPE = {
  [META.version]: '2026-07-28',
  [META.capabilities]: { roots: {} },
  [META.clientInfo]: { name: 'c' },
  [META.logLevel]: 'info',
};

/** A call with these params as a server of the other era gets it. */
function sent(params: string, from: Era, to: Era, required?: { asks: InputRequired; answers: string[] }): any {
  const json = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
  const text = readCallText(readMessage(Frame.of(Buffer.from(json))) as RequestMessage) as CallText;
  const retry = required === undefined ? [] : retryEdits(text, required.asks, required.answers);
  const era = [...retry, ...(eraEdits(text, client(from), to) ?? [])];
  const bytes = toBuffer(spliceCall(text, { id: 9, progressToken: 9, target: '"own"', era }));
  return JSON.parse(bytes.toString()).params;
}

/** Members of params in any order, with any space between them. */
const members = fc
  .uniqueArray(fc.constantFrom('arguments', 'x', 'meta', 'task', 'inputResponses', 'requestState'), { maxLength: 6 })
  .chain((keys) => fc.tuple(fc.constant(keys), fc.nat(keys.length), fc.constantFrom('', ' ')));

const JSON_OF: Readonly<Record<string, string>> = {
  arguments: '"arguments":{"a":1}',
  x: '"x":[1]',
  meta: '"_meta":{"k":1,"progressToken":"t"}',
  task: '"task":{"ttl":1}',
  inputResponses: '"inputResponses":{}',
  requestState: '"requestState":"s"',
};

function paramsOf([keys, at, space]: [string[], number, string]): string {
  const all = keys.map((key) => JSON_OF[key]!);
  all.splice(at, 0, '"name":"public"');
  return `{${space}${all.join(`${space},${space}`)}${space}}`;
}

test('from a legacy client to a modern server: the envelope is added, tasks and foreign retries go, the rest stays', () => {
  fc.assert(
    fc.property(members, (parts) => {
      const [keys] = parts;
      expect(sent(paramsOf(parts as [string[], number, string]), 'legacy', 'modern')).toEqual({
        name: 'own',
        ...(keys.includes('arguments') && { arguments: { a: 1 } }),
        ...(keys.includes('x') && { x: [1] }),
        _meta: { ...ENVELOPE, ...(keys.includes('meta') && { k: 1, progressToken: 9 }) },
      });
    }),
  );
});

test('the next try has the answers and the state besides', () => {
  const asks: InputRequired = { asks: [{ key: '"who"', message: undefined as never }], requestState: '"\\u0061 \\" "' };
  fc.assert(
    fc.property(members, (parts) => {
      const params = sent(paramsOf(parts as [string[], number, string]), 'legacy', 'modern', {
        asks,
        answers: ['{"b":2}'],
      });
      expect(params).toMatchObject({ name: 'own', inputResponses: { who: { b: 2 } }, requestState: 'a " ' });
    }),
  );
});

test('from a modern client to a legacy server: the envelope goes', () => {
  const meta = JSON.stringify({ ...ENVELOPE, k: 1 });
  expect(sent(`{"_meta":${meta},"name":"public"}`, 'modern', 'legacy')).toEqual({ name: 'own', _meta: { k: 1 } });
  const bare = JSON.stringify(ENVELOPE);
  expect(sent(`{"_meta":${bare},"name":"public","requestState":"s"}`, 'modern', 'legacy')).toEqual({ name: 'own' });
});

test.each(['legacy', 'modern'] as const)('between %s peers nothing is changed for the era', (era) => {
  const text = '{"_meta":{"k":1},"task":{},"name":"public"}';
  expect(sent(text, era, era)).toEqual({ _meta: { k: 1 }, task: {}, name: 'own' });
});
