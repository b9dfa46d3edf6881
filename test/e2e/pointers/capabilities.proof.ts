import { describe, expect, test } from 'vitest';
import { META } from '../../../fixtures/protocol.ts';
import { setStage } from './stage.ts';

const openings = (lines: readonly string[]): any[] =>
  lines.filter((line) => line.startsWith('opening ')).map((line) => JSON.parse(line.slice('opening '.length)));

describe.each(['legacy', 'modern'] as const)('client: %s', (clientEra) => {
  describe.each(['legacy', '2026-07-28'] as const)('upstreams: %s', (upstreamEra) => {
    test('extensions and experiments of both sides reach the other', async () => {
      const { client, seen } = await setStage({ clientEra, upstreamEra, isTogether: true });
      expect(client.capabilities.extensions).toMatchObject({
        'io.modelcontextprotocol/ui': {},
        'io.modelcontextprotocol/skills': { directoryRead: true },
        'com.example/a': { version: 1 },
        'com.example/b': { version: 1 },
      });
      expect(client.capabilities.experimental).toEqual({ 'experiment-a': { on: true }, 'experiment-b': { on: true } });
      const [opening] = openings(seen('a'));
      const told = opening.capabilities ?? opening._meta[META.capabilities];
      expect(told.extensions).toMatchObject({
        'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
        'com.example/client': { level: 2 },
      });
      expect(told.experimental).toEqual({ 'client-experiment': { deep: [1] } });
    });

    test('a server is not sent what it does not declare', async () => {
      const { client, seen } = await setStage({
        clientEra,
        upstreamEra,
        flags: ['--without=completions,extensions,prompts,subscribe'],
      });
      const answers = [
        await client.request('completion/complete', {
          ref: { type: 'ref/resource', uri: 'memo://b/item/{id}' },
          argument: { name: 'id', value: '' },
        }),
        await client.request('skills/get', { uri: 'skill://b/refunds/SKILL.md' }),
        await client.request('resources/directory/read', { uri: 'skill://b/refunds' }),
        await client.request('prompts/get', { name: 'b_p' }),
      ];
      for (const { error } of answers)
        expect(error).toMatchObject({ code: -32601, message: expect.stringContaining('does not declare') });
      expect((await client.request('skills/list')).result.skills).toEqual([]);
      const subscribed = await client.subscribe('memo://b/one').then(
        () => 'accepted',
        () => 'refused',
      );
      expect(subscribed).toBe('refused');
      expect(seen('b').filter((line) => line.startsWith('got '))).toEqual([]);
    });
  });
});
