import { describe, expect, test, vi } from 'vitest';
import type { Descriptor, Provider, ProviderCall } from '../../../../src/core/providers/provider.ts';
import { checkResults } from '../../../../src/policy/check-results.ts';
import { toBuffer } from '../../../../src/wire/bytes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { readMessage } from '../../../../src/wire/message.ts';
import { errorReply, openReply, type Reply, relayedReply, resultReply } from '../../../../src/wire/reply.ts';

const create = await checkResults.load();

const OUTPUT = '{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}';

function open({ outputSchema = OUTPUT, validation = 'warn' }: { outputSchema?: string; validation?: string } = {}) {
  const misfits: string[] = [];
  const provider = {
    id: 'up',
    validation,
    onOutputMisfit: (tool: string, problem: string) => misfits.push(`${tool}: ${problem}`),
  } as unknown as Provider;
  const output = outputSchema === '' ? '' : `,"outputSchema":${outputSchema}`;
  const descriptor = { kind: 'tool', text: `{"name":"t","inputSchema":{}${output}}` } as Descriptor;
  const inspect = create(() => undefined).inspect!({ provider, descriptor, call: { ownName: 't' } as ProviderCall });
  const through = (result: string): string => {
    const message = readMessage(Frame.of(Buffer.from(`{"jsonrpc":"2.0","id":41,"result":${result}}`)));
    if (message.kind !== 'response') throw new Error('no response');
    const reply = inspect!(relayedReply(message) as Reply);
    return toBuffer(reply.withId('"mine"')).toString('utf8');
  };
  return { inspect, misfits, through };
}

const answer = (result: string) => `{"jsonrpc":"2.0","id":"mine","result":${result}}`;
const text = (said: string, more = '') => `{"content":[{"type":"text","text":${JSON.stringify(said)}}]${more}}`;

describe('a result without structuredContent', () => {
  test('gets it from its text, the rest passes as it is', () => {
    const { through, misfits } = open();
    const said = '{ "ok": true,\n "größe": 1.50 }';
    const added = '"structuredContent":{ "ok": true,  "größe": 1.50 },';
    expect(through(text(said))).toBe(answer(`{${added}${text(said).slice(1)}`));
    expect(misfits).toEqual([]);
  });

  test('gets it from a text with white space around the object', () => {
    const { through, misfits } = open();
    const result = JSON.parse(through(text('\n  {"ok":true}\n'))).result;
    expect(result).toEqual({
      structuredContent: { ok: true },
      content: [{ type: 'text', text: '\n  {"ok":true}\n' }],
    });
    expect(misfits).toEqual([]);
  });

  test.each([
    ['text that is no JSON', text('done')],
    ['JSON that is no object', text('[true]')],
    ['an object that does not fit', text('{"ok":"yes"}')],
    ['no content', '{}'],
    ['an empty list', '{"content":[]}'],
    ['no error', text('done', ',"isError":false,"x":1.0')],
  ])('%s: it is flagged, so that clients accept it, and that is reported', (_name, result) => {
    const { through, misfits } = open();
    const flagged = JSON.parse(through(result)).result;
    const given = JSON.parse(result);
    expect(flagged).toEqual({
      ...given,
      isError: true,
      content: [...(given.content ?? []), { type: 'text', text: expect.stringContaining('no structuredContent') }],
    });
    expect(misfits).toEqual([
      't: a result had no structuredContent, and its text is not what the output schema asks for',
    ]);
  });

  test('a result that a modern server calls complete gets it, too', () => {
    const { through } = open();
    const flagged = JSON.parse(through('{"resultType":"complete","content":[]}')).result;
    expect(flagged).toMatchObject({ isError: true, resultType: 'complete' });
  });

  test.each(['"done"', 'null', '{"0":"done"}'])('content that is no list stays as it is: %s', (content) => {
    const result = `{"content":${content}}`;
    expect(open().through(result)).toBe(answer(`{"isError":true,${result.slice(1)}`));
  });

  test.each(['[null]', '["{}"]', '[{}]', '[{"text":1}]'])('a first block without text is no object: %s', (content) => {
    const { through, misfits } = open();
    expect(JSON.parse(through(`{"content":${content}}`)).result.isError).toBe(true);
    expect(misfits).toHaveLength(1);
  });

  test('text that is not well-formed Unicode is not copied', () => {
    const { through, misfits } = open();
    const said = String.raw`{\"ok\":true,\"x\":\"\ud800\"}`;
    const result = JSON.parse(through(`{"content":[{"type":"text","text":"${said}"}]}`)).result;
    expect([result.structuredContent, result.isError, misfits.length]).toEqual([undefined, true, 1]);
  });

  test('one of more than 1 MiB passes as it is', () => {
    const { through, misfits } = open();
    const ofBytes = (bytes: number) => `{"content":[],"x":"${'x'.repeat(bytes - '{"content":[],"x":""}'.length)}"}`;
    const large = ofBytes(1024 * 1024 + 1);
    expect(through(large) === answer(large)).toBe(true);
    expect(misfits).toEqual([]);
    expect(through(ofBytes(1024 * 1024))).toContain('"isError":true');
    expect(misfits).toHaveLength(1);
  });

  test.each(['input_required', 'task'])('nothing is missing where the answer is no result yet: %s', (type) => {
    const { through, misfits } = open();
    const result = `{"resultType":"${type}"}`;
    expect(through(result)).toBe(answer(result));
    expect(misfits).toEqual([]);
  });

  test('an error needs none', () => {
    const { through, misfits } = open();
    const result = text('no such file', ',"isError":true');
    expect(through(result)).toBe(answer(result));
    expect(misfits).toEqual([]);
  });
});

describe('structuredContent', () => {
  test('passes byte for byte, and is reported afterwards when it does not fit; its values are not told', async () => {
    const { through, misfits } = open();
    const result = '{"content":[],"structuredContent":{ "ok" : "a secret", "n":1e400 }}';
    expect(through(result)).toBe(answer(result));
    await expect.poll(() => misfits).toHaveLength(1);
    expect(misfits[0]).toContain('`ok`');
    expect(misfits[0]).not.toContain('a secret');
  });

  test('that is not JSON far inside a long string passes like any other, and is reported', async () => {
    const { through, misfits } = open();
    const result = `{"structuredContent":{"ok":"${'x'.repeat(5_000)}\\x"}}`;
    expect(through(result)).toBe(answer(result));
    await expect.poll(() => misfits).toEqual(['t: a result was not valid JSON']);
  });

  test('that fits is no news', async () => {
    const { through, misfits } = open();
    through('{"structuredContent":{"ok":true}}');
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    expect(misfits).toEqual([]);
  });
});

test('an error, and an answer that the gateway made, pass as they are', () => {
  const { inspect, misfits } = open();
  const made = resultReply({ content: [] });
  const error = errorReply({ code: -32603, message: 'broken' });
  const relayed = { ...error, source: openReply(error) };
  expect([inspect!(made), inspect!(relayed)]).toEqual([made, relayed]);
  expect(misfits).toEqual([]);
});

test('results are checked ten times a second, however many there are', async () => {
  const { through, misfits } = open();
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  try {
    for (let times = 0; times < 20; times++) through('{"structuredContent":{}}');
  } finally {
    vi.useRealTimers();
  }
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(misfits).toHaveLength(10);
});

test('an upstream that wants to hear of no misfits needs no function for it', () => {
  const provider = { id: 'up', validation: 'warn' } as unknown as Provider;
  const descriptor = { kind: 'tool', text: `{"outputSchema":${OUTPUT}}` } as Descriptor;
  const inspect = create(() => undefined).inspect!({ provider, descriptor, call: { ownName: 't' } as ProviderCall })!;
  const given = resultReply({});
  const reply = inspect({ ...given, source: openReply(given) });
  expect(toBuffer(reply.withId('1')).toString()).toContain('"isError":true');
});

test('a prompt is not looked at', () => {
  const descriptor = { kind: 'prompt', text: `{"outputSchema":${OUTPUT}}` } as Descriptor;
  const provider = { validation: 'warn' } as Provider;
  expect(create(() => undefined).inspect!({ provider, descriptor, call: {} as ProviderCall })).toBeUndefined();
});

test.each([
  ['a tool without output schema', { outputSchema: '' }],
  ['`validation: off`', { validation: 'off' }],
])('%s is not looked at', (_name, options) => {
  expect(open(options).inspect).toBeUndefined();
});
