import { describe, expect, test } from 'vitest';
import { setStage } from './stage.ts';

const textOf = (answer: any): string => answer.result.content[0].text;

describe.each(['legacy', 'modern'] as const)('an app of a %s client calls a tool by its server’s name', (clientEra) => {
  test('that is one server’s alone: it runs', async () => {
    const { client } = await setStage({ clientEra, upstreamEra: 'legacy' });
    expect(textOf(await client.call('only_b'))).toBe('b only');
    expect(textOf(await client.call('secret_b'))).toBe('b secret');
  });

  test('that several servers have: the answer says under which names, and no server hears of it', async () => {
    const { client, seen } = await setStage({ clientEra, upstreamEra: 'legacy' });
    const { error } = await client.call('refresh');
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('a_refresh or b_refresh') });
    expect([...seen('a'), ...seen('b')]).not.toContain('call refresh');
  });

  test('for apps only, of another server than the one whose app the client shows: it is unknown', async () => {
    const { client, seen } = await setStage({ clientEra, upstreamEra: 'legacy' });
    await client.request('resources/read', { uri: 'ui://a/app/main.html' });
    expect((await client.call('secret_b')).error).toMatchObject({ code: -32602, message: 'Unknown tool: secret_b' });
    expect(seen('b')).not.toContain('call secret_b');
    expect(textOf(await client.call('only_b'))).toBe('b only');
    expect(textOf(await client.call('secret_a'))).toBe('a secret');
    await client.request('resources/read', { uri: 'ui://b/app/main.html' });
    expect(textOf(await client.call('secret_b'))).toBe('b secret');
  });
});
