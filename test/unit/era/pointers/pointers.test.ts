import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withUris, withUrisIn } from '../../../../src/era/pointers/pointers.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import {
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  readMessage,
} from '../../../../src/wire/message.ts';
import { type Reply, relayedReply } from '../../../../src/wire/reply.ts';
import { jsonTexts } from '../../wire/arbitraries.ts';

const rename = (uri: string) => uri.replace('ui://', 'ui://b/');

function replyOf(outcome: 'result' | 'error', body: string): Reply {
  const message = readMessage(Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":1,"${outcome}":${body}}`)));
  return relayedReply(message as ResponseMessage) as Reply;
}

const bytesOf = (reply: Reply) => toBuffer(reply.withId('1')).toString();

/** Every "ui://" stands where a uri is named, every "no://" where none is. */
const RESULTS: readonly (readonly [string, string, string])[] = [
  [
    'a link',
    'tools/call',
    '{"content":[{"type":"text","text":"no://x"},{"type":"resource_link","uri":"ui://x","name":"no://n"}]}',
  ],
  [
    'an embedded resource',
    'tools/call',
    '{"content":[{"type":"resource","resource":{"uri":"ui://x","text":"no://x"}}]}',
  ],
  ['the app of a result', 'tools/call', '{"content":[],"_meta":{"ui":{"resourceUri":"ui://x"},"other":"no://x"}}'],
  ['the app under its flat key', 'tools/call', '{"content":[],"_meta":{"ui/resourceUri":"ui://x"}}'],
  ['the flat key as PHP writes it', 'tools/call', '{"content":[],"_meta":{"ui\\/resourceUri":"ui://x"}}'],
  ['the template of a result', 'tools/call', '{"content":[],"_meta":{"openai/outputTemplate":"ui://x"}}'],
  [
    'a block’s own _meta',
    'tools/call',
    '{"content":[{"type":"text","text":"","_meta":{"ui":{"resourceUri":"ui://x"}}}]}',
  ],
  ['both of one key', 'tools/call', '{"content":[{"type":"resource_link","uri":"ui://x","uri":"ui://y"}]}'],
  ['keys and types with escapes', 'tools/call', '{"content":[{"type":"r\\u0065source_link","\\u0075ri":"ui://x"}]}'],
  ['the late result of a task', 'tasks/result', '{"content":[{"type":"resource_link","uri":"ui://x"}]}'],
  ['a task that is done', 'tasks/get', '{"taskId":"1","result":{"content":[{"type":"resource_link","uri":"ui://x"}]}}'],
  [
    'a task that has failed',
    'tasks/get',
    '{"taskId":"1","error":{"code":1,"message":"no://m","data":{"uri":"ui://x"}}}',
  ],
  [
    'a prompt',
    'prompts/get',
    '{"messages":[{"role":"user","content":{"type":"resource","resource":{"uri":"ui://x","blob":"bm86Ly8="}}}]}',
  ],
  ['contents', 'resources/read', '{"contents":[{"uri":"ui://x","text":"no://x"},{"uri":"ui://x/y","blob":""}]}'],
  ['a directory', 'resources/directory/read', '{"resources":[{"uri":"ui://x","name":"no://x"}]}'],
  [
    'skills',
    'skills/list',
    '{"skills":[{"uri":"ui://s/SKILL.md","frontmatter":{"name":"s","uri":"no://x"},"resources":[{"uri":"ui://s/SKILL.md"}]},{"uri":"ui://t","resources":"dynamic"}]}',
  ],
  [
    'a skill',
    'skills/get',
    '{"skill":{"uri":"ui://s/SKILL.md","resources":[{"uri":"ui://s/a.md","digest":"no://d"}]}}',
  ],
  [
    'a question in a result',
    'tools/call',
    '{"resultType":"input_required","inputRequests":{"k":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":[{"type":"resource_link","uri":"ui://x"}]}]}}}}',
  ],
];

const UNTOUCHED: readonly (readonly [string, string, string])[] = [
  ['structured content', 'tools/call', '{"content":[],"structuredContent":{"type":"resource_link","uri":"ui://x"}}'],
  ['unknown blocks', 'tools/call', '{"content":[{"type":"resource_pack","uri":"ui://x"}]}'],
  [
    'texts',
    'tools/call',
    '{"content":[{"type":"text","text":"{\\"type\\":\\"resource_link\\",\\"uri\\":\\"ui://x\\"}"}]}',
  ],
  ['icons', 'tools/call', '{"content":[{"type":"resource_link","uri":"no://x","icons":[{"src":"ui://icon"}]}]}'],
  ['what is no string', 'resources/read', '{"contents":[{"uri":["ui://x"]},7,null]}'],
  ['contents that are none', 'resources/read', '{"contents":"ui://x"}'],
  ['completions', 'completion/complete', '{"completion":{"values":["ui://x"]},"resource":{"uri":"ui://x"}}'],
  ['empty uris', 'resources/read', '{"contents":[{"uri":""}]}'],
];

describe('a result', () => {
  test.each(RESULTS)('%s is renamed', (_what, method, body) => {
    const expected = `{"jsonrpc":"2.0","id":1,"result":${body.replaceAll('ui://', 'ui://b/')}}`;
    expect(bytesOf(withUris(method, replyOf('result', body), rename))).toBe(expected);
  });

  test.each(UNTOUCHED)('%s stay as they are', (_what, method, body) => {
    expect(bytesOf(withUris(method, replyOf('result', body), rename))).toBe(
      `{"jsonrpc":"2.0","id":1,"result":${body}}`,
    );
  });

  test('that was renamed can be looked into, and edited again', () => {
    const reply = withUris('tools/call', replyOf('result', RESULTS[0]![2]), rename);
    expect(bytesOf(withUris('tools/call', reply, (uri) => uri.replace('b/x', 'c')))).toContain('"uri":"ui://c"');
  });

  test('without uris is the very same object', () => {
    const reply = replyOf('result', '{"content":[{"type":"text","text":"resource"}]}');
    expect(withUris('tools/call', reply, rename)).toBe(reply);
  });

  test('of any shape is no reason to fail', () => {
    const methods = fc.constantFrom(...RESULTS.map(([, method]) => method));
    fc.assert(
      fc.property(jsonTexts, methods, (json, method) => {
        const body = `{"content":${json},"contents":${json},"skills":${json},"messages":${json},"resource":${json}}`;
        withUris(method, replyOf('result', body), rename);
      }),
    );
  });
});

test.each([
  ['{"code":-32002,"message":"no://x","data":{"uri":"ui://x"}}'],
  ['{"code":-32602,"message":"no://x","data":{"\\u0075ri":"ui://x","other":"no://y"}}'],
  ['{"code":-32602,"message":"no://x","data":"no://x"}'],
  ['{"code":-32602,"message":"uri"}'],
])('the uri of an error is renamed: %s', (body) => {
  for (const method of ['resources/read', 'tools/call', 'completion/complete'])
    expect(bytesOf(withUris(method, replyOf('error', body), rename))).toBe(
      `{"jsonrpc":"2.0","id":1,"error":${body.replaceAll('ui://', 'ui://b/')}}`,
    );
});

describe('what an upstream asks and tells', () => {
  test.each([
    [
      'sampling',
      'sampling/createMessage',
      '{"messages":[{"role":"user","content":{"type":"resource_link","uri":"ui://x"}},{"role":"user","content":[{"type":"tool_result","toolUseId":"1","content":[{"type":"resource","resource":{"uri":"ui://y"}}]}]}],"tools":[{"name":"no://t","_meta":{"ui":{"resourceUri":"ui://z"}}}]}',
    ],
    [
      'elicitation',
      'elicitation/create',
      '{"message":"no://x","url":"no://x","_meta":{"ui":{"resourceUri":"ui://x"}}}',
    ],
    ['tasks', 'notifications/tasks', '{"taskId":"1","result":{"content":[{"type":"resource_link","uri":"ui://x"}]}}'],
    ['roots', 'roots/list', '{"_meta":{"ui/resourceUri":"no://x"}}'],
    ['log messages', 'notifications/message', '{"data":{"type":"resource_link","uri":"no://x"}}'],
  ])('%s', (_what, method, params) => {
    const id = method.startsWith('notifications/') ? '' : '"id":1,';
    const json = `{"jsonrpc":"2.0",${id}"method":"${method}","params":${params}}`;
    const message = readMessage(Frame.of(Buffer.from(json))) as RequestMessage | NotificationMessage;
    const shown = withUrisIn(message, rename);
    expect(toBuffer(shown.frame.bytes()).toString()).toBe(json.replaceAll('ui://', 'ui://b/'));
    expect(shown.method).toBe(method);
  });
});

test('a large result in pieces is renamed in its place', () => {
  const text = 'x'.repeat(100_000);
  const json = `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"ui://x","text":"${text}"},{"uri":"ui://y","text":"${text}"}]}}`;
  const whole = Buffer.from(json);
  const frame = new Frame(
    [whole.subarray(0, 40), whole.subarray(40, 100_060), whole.subarray(100_060)],
    Frame.of(whole).outline,
  );
  const reply = relayedReply(readMessage(frame) as ResponseMessage) as Reply;
  expect(bytesOf(withUris('resources/read', reply, rename))).toBe(json.replaceAll('ui://', 'ui://b/'));
  expect(frame.pieces).toHaveLength(3);
});
