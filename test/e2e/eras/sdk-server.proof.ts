import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT_KINDS, connectClient, type EraClient } from '../../support/clients/era-clients.ts';
import { fixture, writeConfig } from '../../support/gateway.ts';
import { folderOfFile, serveFor } from './column.ts';

/** One server of the official SDK that serves both eras, told or found out which to speak. */
const UPSTREAMS = ['auto', 'legacy', '2026-07-28'] as const;
const prefixOf = (era: string) => `sdk_${era.replaceAll('-', '')}`;

describe('a server of the official SDK that serves both eras', () => {
  const ends: (() => void | Promise<void>)[] = [];
  let url: string;

  beforeAll(async () => {
    const home = folderOfFile();
    const entries = UPSTREAMS.map((era) => [prefixOf(era), { ...fixture('sdk-v2-dual'), era }]);
    const config = writeConfig({ upstreams: Object.fromEntries(entries), lists: { graceMs: 20_000 } }, home);
    url = await serveFor(config, home, (end) => ends.push(end));
  });

  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  describe.each(CLIENT_KINDS)('client: %s', (kind) => {
    let client: EraClient;

    beforeAll(async () => {
      client = await connectClient(kind, kind, { url });
      ends.push(() => client.close());
      await client.listTools();
    });

    test.each(UPSTREAMS)('calls it, is asked by it and sees it change: era %s', async (era) => {
      const textOf = async (tool: string, args: Record<string, unknown> = {}) =>
        (await client.call(`${prefixOf(era)}_${tool}`, args)).content[0].text;
      expect(await textOf('greet', { name: 'Ada' })).toBe('hello Ada');
      expect(await textOf('ask')).toBe(`hello ${kind} answers who?`);
      const name = `by_${kind.replace(' ', '_')}`;
      await textOf('grow', { name });
      await expect.poll(() => client.lists.tools.map((tool) => tool.name)).toContain(`${prefixOf(era)}_${name}`);
      expect(await textOf(name)).toBe('added');
    });
  });
});
