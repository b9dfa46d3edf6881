import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type ResponseMessage, readMessage } from '../../../src/wire/message.ts';
import { errorReply, madeReply, type Reply, relayedReply, resultReply } from '../../../src/wire/reply.ts';
import { JsonScanner } from '../../../src/wire/scanning/scanner.ts';
import { cut, cuts, jsonTexts, oneLine } from './arbitraries.ts';

function responseOf(text: string, pieces: readonly Buffer[] = [Buffer.from(text)]): ResponseMessage {
  const scanner = new JsonScanner();
  for (const piece of pieces) scanner.push(piece);
  return readMessage(new Frame(pieces, scanner.finish())) as ResponseMessage;
}

const written = (reply: Reply, id: string): string => toBuffer(reply.withId(id)).toString();

/** The answer as its receiver gets it under the id `"c"`, or what is wrong with it. */
function relayed(text: string): string {
  const reply = relayedReply(responseOf(text));
  return 'problem' in reply ? reply.problem : written(reply, '"c"');
}

describe('a well-formed answer', () => {
  const bodies = fc
    .tuple(fc.array(jsonTexts, { maxLength: 2 }), fc.constantFrom('', 'x'.repeat(20_000)))
    .map(([parts, large]) => `{"content":[ ${parts.join(' , ')} ],"é":"${large}","big":90071992547409931e0 }`);
  const envelopes = fc
    .tuple(
      fc.oneof(
        bodies.map((body) => `"result": ${body}`),
        bodies.map((body) => `"error":{"data":${body},"code":-32000,"message":"é"}`),
      ),
      jsonTexts,
      fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4, maxLength: 4 }),
    )
    .map(([outcome, extra, order]) => (id: string) => {
      const members = ['"jsonrpc":"2.0"', `"id" : ${id} `, outcome, `"extra":${extra}`];
      return `{ ${order.map((index) => members[index]).join(',')}}`;
    });

  test('passes byte for byte but for its id and its line breaks, in any number of pieces', () => {
    const ids = fc.constantFrom('0', '"a"', '"\\u00e9"', '-1', '9007199254740993');
    fc.assert(
      fc.property(envelopes, cuts, ids, (write, places, id) => {
        const pieces = cut(Buffer.from(` ${write('123456')}\r`), places === 'everywhere' ? [1, 2, 3] : places);
        const reply = relayedReply(responseOf('', pieces)) as Reply;
        expect(written(reply, id)).toBe(oneLine(write(id)));
        // Several receivers of one answer do not get in each other's way.
        expect(written(reply, '7')).toBe(oneLine(write('7')));
        expect(reply.outcome).toBe(write('').includes('"result"') ? 'result' : 'error');
      }),
      { numRuns: 300 },
    );
  });

  test('has its id replaced wherever an id stands', () => {
    expect(relayed('{"id":1,"jsonrpc":"2.0","result":{"id":1},"\\u0069d":2}')).toBe(
      '{"id":"c","jsonrpc":"2.0","result":{"id":1},"\\u0069d":"c"}',
    );
  });
});

describe('an answer with a small fault is mended around its own bytes', () => {
  const result = '{"a": 1.0, "b":9007199254740993}';
  const mended = `{"jsonrpc":"2.0","id":"c","result":${result}}`;

  test.each([
    ['no jsonrpc', `{"id":1,"result":${result}}`, mended],
    ['another version', `{"jsonrpc":"1.0","id":1,"result":${result}}`, mended],
    ['"error": null beside a result', `{"jsonrpc":"2.0","id":1,"result":${result},"error":null}`, mended],
    [
      '"result": null beside an error',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"},"result":null}',
      error('{"code":1,"message":"m"}'),
    ],
    ['two results', `{"jsonrpc":"2.0","id":1,"result":{},"result":${result}}`, mended],
    [
      'an error without a code',
      '{"jsonrpc":"2.0","id":1,"error":{"message":"m","data":1.0}}',
      error('{"code":-32603,"message":"m","data":1.0}'),
    ],
    [
      'an error without a message',
      '{"jsonrpc":"2.0","id":1,"error":{"code":7}}',
      error('{"code":7,"message":"Error without a message"}'),
    ],
    [
      'an empty error',
      '{"jsonrpc":"2.0","id":1,"error":{}}',
      error('{"code":-32603,"message":"Error without a message"}'),
    ],
    [
      'a float code',
      '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"é"}}',
      error('{"code":-32603,"message":"é"}'),
    ],
    [
      'a code in words',
      '{"jsonrpc":"2.0","id":1,"error":{"code":"E1","message":"m"}}',
      error('{"code":-32603,"message":"m"}'),
    ],
    ['an error of text', '{"jsonrpc":"2.0","id":1,"error":"no \\u00e9"}', error('{"code":-32603,"message":"no é"}')],
    [
      'an error of another type',
      '{"jsonrpc":"2.0","id":1,"error":[1]}',
      error('{"code":-32603,"message":"Error without a message"}'),
    ],
    [
      'false for an error',
      '{"jsonrpc":"2.0","id":1,"error":false}',
      error('{"code":-32603,"message":"Error without a message"}'),
    ],
    [
      'a sound error without jsonrpc',
      '{"id":1,"error":{"code":1,"message":"m","x":2}}',
      error('{"code":1,"message":"m","x":2}'),
    ],
  ])('%s', (_name, text, expected) => expect(relayed(text)).toBe(expected));

  function error(body: string): string {
    return `{"jsonrpc":"2.0","id":"c","error":${body}}`;
  }

  test('the code of an error without a message keeps its digits, however many', () => {
    for (const code of ['9007199254740993', '7'.repeat(400)]) {
      expect(relayed(`{"jsonrpc":"2.0","id":1,"error":{"code":${code}}}`)).toBe(
        error(`{"code":${code},"message":"Error without a message"}`),
      );
    }
  });

  test('a long message that no reader can read is replaced, and does no other harm', () => {
    const text = `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"${'x'.repeat(5_000)}\\x"}}`;
    expect(relayed(text)).toBe(error('{"code":1,"message":"Error without a message"}'));
  });
});

describe('an answer that says nothing is no answer', () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1}', 'it has neither a result nor an error'],
    ['{"jsonrpc":"2.0","id":1,"error":null}', 'it has neither a result nor an error'],
    ['{"jsonrpc":"2.0","id":1,"result":null}', 'its result is null'],
    ['{"jsonrpc":"2.0","id":1,"result":null,"error":null}', 'its result is null'],
    ['{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"m"}}', 'it has both a result and an error'],
    ['{"jsonrpc":"2.0","id":1,"result":[]}', 'its result is not an object'],
    ['{"jsonrpc":"2.0","id":1,"result":"x"}', 'its result is not an object'],
    ['{"jsonrpc":"2.0","id":1,"result":true}', 'its result is not an object'],
  ])('%s: %s', (text, problem) => expect(relayed(text)).toBe(problem));
});

test('answers made here', () => {
  expect(written(resultReply({ a: 'é\u2028' }), '1')).toBe('{"jsonrpc":"2.0","id":1,"result":{"a":"é\u2028"}}');
  expect(written(errorReply({ code: -32601, message: 'é', data: [1] }), '"x"')).toBe(
    '{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"é","data":[1]}}',
  );
  expect(written(madeReply('result', [Buffer.from('{"é"'), Buffer.from(':1}')]), 'null')).toBe(
    '{"jsonrpc":"2.0","id":null,"result":{"é":1}}',
  );
});
