import { expect, test, vi } from 'vitest';
import type { Descriptor, Provider, ProviderCall } from '../../../../src/core/providers/provider.ts';
import { validateArguments } from '../../../../src/policy/validate-arguments.ts';
import { type CallText, readCallText } from '../../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../../src/wire/message.ts';

const create = await validateArguments.load();

const SCHEMA = '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}';

function open(validation: Provider['validation'], args: string | undefined, kind = 'tool') {
  const misfits: string[] = [];
  const provider = {
    id: 'up',
    validation,
    onMisfit: (tool: string, problem: string) => misfits.push(`${tool}: ${problem}`),
  } as unknown as Provider;
  const descriptor = { kind, text: `{"name":"t","inputSchema":${SCHEMA}}` } as Descriptor;
  const given = args === undefined ? '' : `,"arguments":${args}`;
  const json = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"${given}}}`;
  const text = readCallText(readMessage(Frame.of(Buffer.from(json))) as RequestMessage) as CallText;
  const policy = create(() => undefined);
  const admit = () => policy.admit!({ provider, descriptor, call: { text, ownName: 't' } as ProviderCall });
  return { admit, misfits };
}

function admit(validation: Provider['validation'], args?: string, kind?: string) {
  const { admit, misfits } = open(validation, args, kind);
  return { refusal: admit(), misfits };
}

test('enforce: what does not fit is refused before it leaves', () => {
  expect(admit('enforce', '{"a":"x"}').refusal).toBeUndefined();
  expect(admit('enforce', '{"a":1}').refusal).toMatchObject({ code: 'INVALID_ARGUMENTS' });
});

test('warn: the call leaves, and what does not fit is noted', async () => {
  const { refusal, misfits } = admit('warn', '{"a":4711}');
  expect(refusal).toBeUndefined();
  await expect.poll(() => misfits).toHaveLength(1);
  expect(misfits[0]).toContain('`a`');
  expect(misfits[0]).not.toContain('4711');
});

test('off: the call leaves, and nothing is noted', async () => {
  const { refusal, misfits } = admit('off', '{"a":1}');
  await new Promise((resolve) => setImmediate(resolve));
  expect([refusal, misfits]).toEqual([undefined, []]);
});

test.each([
  ['at the outside', '{"a":1,"a":"x"}'],
  ['under another spelling', '{"\\u0061":1,"a":"x"}'],
  ['in a list of objects', '{"a":"x","list":[{"k":1,"__proto__":2},{"k":":","k":"\\":"}]}'],
])(
  'a member that occurs twice is a misfit, because servers differ in which one they read: %s',
  async (_where, args) => {
    expect(admit('enforce', args).refusal).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: 't: the arguments have an object in which a member occurs twice',
    });
    const { misfits } = admit('warn', args);
    await expect.poll(() => misfits).toHaveLength(1);
  },
);

test('colons in texts and in other objects make no member occur twice', () => {
  const args = '{"a":"x: \\"y\\": \\\\","list":[{"k":[1,{"k":null}]},{"k":":"},[],{}],"__proto__":{"k":1},"":0}';
  expect(admit('enforce', args).refusal).toBeUndefined();
});

test('a call without arguments is one with none: a required one is missing', () => {
  expect(admit('enforce').refusal).toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: expect.stringContaining('`a`'),
  });
});

test('a refusal says of which upstream, and that nothing has happened', () => {
  expect(admit('enforce', '{"a":1}').refusal!.detail).toEqual({ upstream: 'up', effect: 'none' });
});

test('only the arguments of tools are checked', () => {
  expect(admit('enforce', '{"a":1}', 'prompt').refusal).toBeUndefined();
});

test('misfits are noted ten times a second, and refused always', async () => {
  const [warning, enforcing] = [open('warn', '{"a":1}'), open('enforce', '{"a":1}')];
  const refusals: unknown[] = [];
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  try {
    for (let times = 0; times < 20; times++) refusals.push(warning.admit(), enforcing.admit());
  } finally {
    vi.useRealTimers();
  }
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect([warning.misfits.length, refusals.filter((refusal) => refusal !== undefined).length]).toEqual([10, 20]);
});

test('arguments that fit are not noted', async () => {
  const { misfits } = admit('warn', '{"a":"x"}');
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(misfits).toEqual([]);
});
