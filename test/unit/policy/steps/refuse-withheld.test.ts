import { expect, test } from 'vitest';
import type { ProviderCall, WithheldEntry } from '../../../../src/core/providers/provider.ts';
import type { RoutedCall } from '../../../../src/policy/policy.ts';
import { refuseWithheld } from '../../../../src/policy/refuse-withheld.ts';
import { type CallText, readCallText } from '../../../../src/wire/edits/call-text.ts';
import { madeRequest } from '../../../../src/wire/message.ts';

const create = await refuseWithheld.load();

const PINNED: WithheldEntry = { kind: 'tool', name: 'changed', reason: 'pinned', detail: 'it differs' };

/** Calls the tool `changed`, unless `call` says otherwise, of an upstream that withholds entries. */
function admit(withheld: readonly WithheldEntry[], call: Partial<ProviderCall> = {}, more: Partial<RoutedCall> = {}) {
  const text = readCallText(madeRequest('tools/call', '{"name":"up_changed","arguments":{}}')) as CallText;
  const routed = {
    provider: { id: 'up', withheld: () => withheld },
    descriptor: undefined,
    call: { text, ownName: 'changed', ...call },
    ...more,
  };
  return create(() => undefined).admit!(routed as unknown as RoutedCall);
}

test('a call of a tool that differs from its approved form is refused, by the name that the client used', () => {
  expect(admit([PINNED])).toMatchObject({
    code: 'TOOL_PINNED',
    message: 'up_changed is withheld: it differs',
    detail: { upstream: 'up', effect: 'none' },
  });
});

test.each<[string, readonly WithheldEntry[]]>([
  ['nothing is withheld', []],
  ['another tool is', [{ ...PINNED, name: 'other' }]],
  ['a prompt of this name is', [{ ...PINNED, kind: 'prompt' }]],
  ['it is withheld for another reason', [{ ...PINNED, reason: 'filtered' as WithheldEntry['reason'] }]],
])('a call passes where %s', (_what, withheld) => {
  expect(admit(withheld)).toBeUndefined();
});

test('a tool that is listed is not withheld', () => {
  expect(admit([PINNED], {}, { descriptor: { kind: 'tool' } as RoutedCall['descriptor'] })).toBeUndefined();
});

test('only calls of tools are refused, and only where the provider withholds something', () => {
  const text = readCallText(madeRequest('prompts/get', '{"name":"up_changed"}')) as CallText;
  expect(admit([PINNED], { text })).toBeUndefined();
  expect(admit([], {}, { provider: { id: 'up' } as RoutedCall['provider'] })).toBeUndefined();
});
