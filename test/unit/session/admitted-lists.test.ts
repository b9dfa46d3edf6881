import { expect, test } from 'vitest';
import type { RequestMessage } from '../../../src/wire/message.ts';
import { resultReply } from '../../../src/wire/reply.ts';
import { Asked, modernSetup, read } from './modern-setup.ts';

const SKILLS = { extensions: { 'io.modelcontextprotocol/skills': {} } };

/** Clients of a gateway that takes one call at a time, and an upstream that answers lists when the test says so. */
function setup(limits: { calls?: number; callsPerClient?: number } = { calls: 1 }) {
  const { host, client, sessions, provider, request } = modernSetup({ ...limits, isOneProgram: true });
  const answers: (() => void)[] = [];
  const list = () => new Promise<[]>((resolve) => answers.push(() => resolve([])));
  Object.assign(provider, { declared: () => SKILLS, tasks: { list } });
  const session = sessions.open(host, {
    id: 's',
    transport: 'test',
    profile: undefined,
    folderRule: undefined,
    output: () => undefined,
  });
  const ask = {
    modern: (method: string) => request(method, {}),
    legacy: (method: string) => {
      const asked = new Asked(1);
      session.onMessage(read<RequestMessage>(JSON.stringify({ jsonrpc: '2.0', id: 1, method })), asked);
      return asked;
    },
  };
  const answer = () => {
    for (const call of provider.calls) call.call.caller.onReply(resultReply({ skills: [] }));
    for (const one of answers) one();
  };
  const isAsked = () => provider.calls.length + answers.length > 0;
  const denialOf = {
    modern: (method: string) => client.denialOf(read(`{"jsonrpc":"2.0","id":1,"method":"${method}"}`)),
    legacy: (method: string) => session.denialOf(method),
  };
  return { host, ask, answer, isAsked, denialOf };
}

test.each([
  ['modern', 'skills/list'],
  ['legacy', 'skills/list'],
  ['legacy', 'tasks/list'],
] as const)('of a %s client %s counts as a call until it is answered', async (era, method) => {
  const { host, ask, answer, isAsked, denialOf } = setup();
  expect(denialOf[era](method)).toBeUndefined();
  const first = ask[era](method);
  await expect.poll(isAsked).toBe(true);
  expect(host.quota.openCalls).toBe(1);
  expect(denialOf[era](method)).toBe('gateway-full');
  expect(await ask[era](method).answered).toMatchObject({
    error: { message: expect.stringContaining('limits.calls') as string },
  });
  answer();
  expect(await first.answered).toHaveProperty('result');
  expect(host.quota.openCalls).toBe(0);
  expect(denialOf[era](method)).toBeUndefined();
});

test.each([
  ['modern', 'skills/list'],
  ['legacy', 'skills/list'],
  ['legacy', 'tasks/list'],
] as const)('of a %s client %s takes of its own share', async (era, method) => {
  const { ask, answer, isAsked, denialOf } = setup({ callsPerClient: 1 });
  const other = era === 'modern' ? 'legacy' : 'modern';
  const first = ask[era](method);
  await expect.poll(isAsked).toBe(true);
  expect([denialOf[era](method), denialOf[other]('skills/list')]).toEqual(['client-full', undefined]);
  answer();
  await first.answered;
  expect(denialOf[era](method)).toBeUndefined();
});
