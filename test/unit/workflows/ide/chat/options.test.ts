import { expect, test } from 'vitest';
import { chatOptions } from '../../../../../src/workflows/ide/chat/options.ts';

test('nobody answers, and nothing secret is stored, unless the config says so', () => {
  expect(chatOptions.parse(undefined)).toMatchObject({ answers: 'none', redaction: 'on', liveText: false });
});

test('an agent that answers needs a command', () => {
  const { error } = chatOptions.safeParse({ answers: 'agent' });
  expect(error?.issues).toMatchObject([{ path: ['agent'], message: 'answers: agent needs agent.command' }]);
  expect(chatOptions.safeParse({ answers: 'agent', agent: { command: ['a', '{prompt}'] } }).success).toBe(true);
});
