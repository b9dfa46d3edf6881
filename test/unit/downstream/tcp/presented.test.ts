import { expect, test } from 'vitest';
import { presentedIn, withoutPresented } from '../../../../src/downstream/tcp/presented.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { readMessage } from '../../../../src/wire/message.ts';

const read = (text: string) => readMessage(Frame.of(Buffer.from(text)));
const request = (params: string) => read(`{"jsonrpc":"2.0","id":1,"method":"m","params":${params}}`);
const SECRET = '"viaduct/authorization":"Bearer s"';
const PROFILE = '"viaduct/profile":"p"';

test.each([
  [`{"_meta":{${SECRET},${PROFILE}}}`, { authorization: 'Bearer s', profile: 'p' }],
  [`{"_meta":{${SECRET.replace('/', '\\/')}}}`, { authorization: 'Bearer s', profile: undefined }],
  ['{"_meta":{"viaduct/profile":5}}', { authorization: undefined, profile: '' }],
  [`{${SECRET}}`, { authorization: undefined, profile: undefined }],
  ['{"_meta":[]}', { authorization: undefined, profile: undefined }],
  ['[]', { authorization: undefined, profile: undefined }],
])('of %s it reads %j', (params, presented) => {
  expect(presentedIn(request(params))).toEqual(presented);
});

test.each([
  [`{"_meta":{${SECRET}},"a":1}`, '{"_meta":{},"a":1}'],
  [`{"_meta":{"x":1,${SECRET},"y":2,${PROFILE}}}`, '{"_meta":{"x":1,"y":2}}'],
  [`{"_meta":{${SECRET.replace('/', '\\u002f')}}}`, '{"_meta":{}}'],
  [`{"_meta":{${SECRET}},"_meta":{${SECRET},"z":1}}`, '{"_meta":{},"_meta":{"z":1}}'],
  ['{"_meta":{"viaduct/cwd":"/a"}}', '{"_meta":{"viaduct/cwd":"/a"}}'],
])('%s is passed on as %s', (params, rest) => {
  expect(toBuffer(withoutPresented(request(params)).frame.bytes()).toString()).toBe(
    `{"jsonrpc":"2.0","id":1,"method":"m","params":${rest}}`,
  );
});

test('a notification presents nothing, and passes nothing on', () => {
  const message = read(`{"jsonrpc":"2.0","method":"m","params":{"_meta":{${SECRET}}}}`);
  expect(presentedIn(message)).toEqual({ authorization: undefined, profile: undefined });
  expect(toBuffer(withoutPresented(message).frame.bytes()).toString()).not.toContain('Bearer');
});
