import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Provider, ProviderCall } from '../../../../src/core/providers/provider.ts';
import { listSkills } from '../../../../src/session/skills/list-skills.ts';
import { createLog } from '../../../../src/telemetry/log.ts';
import { errorReply, madeReply, type Reply, resultReply } from '../../../../src/wire/reply.ts';

const SKILLS = { extensions: { 'io.modelcontextprotocol/skills': {} } };

/** An upstream with skills that answers each page with what `answer` gives for its cursor. */
function server(id: string, answer: (cursor: unknown) => Reply | undefined, declared: object = SKILLS) {
  const cursors: unknown[] = [];
  const cancel = vi.fn();
  const provider = {
    id,
    kind: 'upstream',
    declared: () => declared,
    call({ text, caller }: ProviderCall) {
      const { params } = JSON.parse(text.message.frame.text.toString()) as { params: { cursor?: unknown } };
      cursors.push(params.cursor);
      const reply = answer(params.cursor);
      if (reply !== undefined) caller.onReply(reply);
      return { cancel };
    },
  } as unknown as Provider;
  return { provider, cursors, cancel };
}

const page = (uris: readonly string[], nextCursor?: string) =>
  resultReply({ skills: uris.map((uri) => ({ uri })), ...(nextCursor !== undefined && { nextCursor }) });

const asker = {
  sessionId: 's',
  client: {
    era: 'modern',
    clientId: 'c',
    capabilities: '{}',
    clientInfo: undefined,
    logLevel: undefined,
    folderRule: undefined,
  },
} as const;

const list = async (...servers: readonly { provider: Provider }[]) =>
  (
    await listSkills(
      servers.map(({ provider }) => provider),
      asker,
      createLog({ level: 'silent' }),
    )
  ).map((json) => (JSON.parse(json) as { uri: string }).uri);

describe('the skills of all servers', () => {
  test('are those of all their pages, in the order of the servers', async () => {
    const one = server('one', (cursor) => (cursor === undefined ? page(['a'], 'é"') : page(['b'])));
    const two = server('two', () => page(['c']));
    expect(await list(one, two)).toEqual(['a', 'b', 'c']);
    expect(one.cursors).toEqual([undefined, 'é"']);
  });

  test('are at most 10,000 of a server, however many it lists', async () => {
    const uris = Array.from({ length: 200_000 }, (_, index) => String(index));
    const [many, next] = [server('many', () => page(uris, 'more')), server('next', () => page(['n']))];
    const listed = await list(many, next);
    expect([listed.length, listed[9_999], listed.at(-1)]).toEqual([10_001, '9999', 'n']);
    expect(many.cursors).toHaveLength(1);
  });

  test('are at most 10,000 of a server over all its pages', async () => {
    const uris = Array.from({ length: 6_000 }, (_, index) => String(index));
    const many = server('many', (cursor) => page(uris, `after ${String(cursor)}`));
    expect(await list(many)).toHaveLength(10_000);
    expect(many.cursors).toHaveLength(2);
  });

  test('are those of at most 1,000 pages', async () => {
    let count = 0;
    const endless = server('endless', () => page(['x'], String(++count)));
    expect(await list(endless)).toHaveLength(1_000);
    expect(endless.cursors).toHaveLength(1_000);
  });

  test.each([
    ['a page without a list', { skills: 'none', nextCursor: 'next' }],
    ['a cursor that is no text', { skills: [{ uri: 'a' }], nextCursor: 5 }],
  ])('end at %s', async (_what, answer) => {
    const odd = server('odd', () => resultReply(answer));
    await list(odd);
    expect(odd.cursors).toEqual([undefined]);
  });

  test('are asked of servers only that declare them', async () => {
    const without = server('without', () => page(['x']), { resources: {} });
    expect(await list(without)).toEqual([]);
    expect(without.cursors).toEqual([]);
  });

  test.each([
    ['an error', () => errorReply({ code: -32603, message: 'broken' })],
    ['no list', () => resultReply({ skills: 'none' })],
    ['the same page for ever', () => page(['x'], 'again')],
  ])('lack those of a server that answers %s, after what it has answered before', async (_what, answer) => {
    const broken = server('broken', answer);
    expect(
      (
        await list(
          broken,
          server('fine', () => page(['y'])),
        )
      ).at(-1),
    ).toBe('y');
    expect(broken.cursors.length).toBeLessThan(3);
  });

  test('do not wait for a server for ever, and it is told', async () => {
    vi.useFakeTimers();
    const silent = server('silent', () => undefined);
    const listed = list(
      silent,
      server('fine', () => page(['y'])),
    );
    await vi.advanceTimersByTimeAsync(15_000);
    vi.useRealTimers();
    expect(await listed).toEqual(['y']);
    expect(silent.cancel).toHaveBeenCalledOnce();
  });

  test('are left out from the page on at which a server has taken a minute', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const slow = server('slow', () => undefined);
    Object.assign(slow.provider, {
      call({ caller }: ProviderCall) {
        const name = String(slow.cursors.push(undefined));
        setTimeout(() => caller.onReply(page([name], name)), 14_000);
        return { cancel: slow.cancel };
      },
    });
    const listed = list(slow);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(await listed).toEqual(['1', '2', '3', '4', '5']);
  });
});

test('of a server whose pages are large and never end, so many bytes are kept', async () => {
  const entry = `{"uri":"skill://a","text":"${'x'.repeat(8 * 1024 * 1024)}"}`;
  let count = 0;
  const endless = server('up', () => madeReply('result', `{"skills":[${entry}],"nextCursor":"${++count}"}`));
  expect(await list(endless)).toHaveLength(7);
});
