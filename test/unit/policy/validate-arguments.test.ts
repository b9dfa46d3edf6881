import { expect, test } from 'vitest';
import type { Descriptor, Provider, ProviderCall } from '../../../src/core/provider.ts';
import { validateArguments } from '../../../src/policy/validate-arguments.ts';
import { type CallText, readCallText } from '../../../src/wire/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { type RequestMessage, readMessage } from '../../../src/wire/message.ts';

const SCHEMA = '{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}';

function admit(validation: Provider['validation'], args: string) {
  const misfits: string[] = [];
  const provider = {
    id: 'up',
    validation,
    onMisfit: (tool: string, problem: string) => misfits.push(`${tool}: ${problem}`),
  } as unknown as Provider;
  const descriptor = { kind: 'tool', text: `{"name":"t","inputSchema":${SCHEMA}}` } as Descriptor;
  const json = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${args}}}`;
  const text = readCallText(readMessage(Frame.of(Buffer.from(json))) as RequestMessage) as CallText;
  const refusal = validateArguments().admit!({ provider, descriptor, call: { text, ownName: 't' } as ProviderCall });
  return { refusal, misfits };
}

/** Only the beginning of a long string is checked when it arrives. */
const NO_JSON = `{"a":"${'x'.repeat(5_000)}\\x"}`;

const nextTurn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test('enforce: what does not fit is refused before it leaves', () => {
  expect(admit('enforce', '{"a":"x"}').refusal).toBeUndefined();
  expect(admit('enforce', '{"a":1}').refusal).toMatchObject({ code: 'INVALID_ARGUMENTS' });
});

test('warn: the call leaves, and what does not fit is noted', async () => {
  const { refusal, misfits } = admit('warn', '{"a":1}');
  expect(refusal).toBeUndefined();
  await expect.poll(() => misfits).toHaveLength(1);
});

test('arguments that are not JSON far inside a long string: enforce refuses them, warn leaves them to the upstream', async () => {
  expect(admit('enforce', NO_JSON).refusal).toMatchObject({
    code: 'INVALID_ARGUMENTS',
    message: 't: the arguments are not valid JSON',
  });
  const { refusal, misfits } = admit('warn', NO_JSON);
  await nextTurn();
  expect([refusal, misfits]).toEqual([undefined, []]);
});
