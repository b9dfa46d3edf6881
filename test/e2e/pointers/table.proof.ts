import { describe, expect, test } from 'vitest';
import { shared } from '../../support/shared.ts';
import { POINTER_ROWS } from './rows.ts';
import { type Label, type Stage, setStage } from './stage.ts';

const LABELS: readonly Label[] = ['a', 'b'];

const listedUris = async ({ client }: Stage): Promise<unknown> => [
  (await client.request('resources/list')).result.resources.map(({ uri }: any) => uri),
  (await client.request('resources/templates/list')).result.resourceTemplates.map(
    ({ uriTemplate }: any) => uriTemplate,
  ),
];

describe.each(['legacy', 'modern'] as const)('client: %s', (clientEra) => {
  describe.each(['legacy', '2026-07-28'] as const)('upstreams: %s', (upstreamEra) => {
    describe.each(LABELS)('of two upstreams with the same uris, %s comes first', (first) => {
      const stage = shared(() => setStage({ clientEra, upstreamEra, first }));
      const second = first === 'a' ? 'b' : 'a';

      const tryRows = () => {
        for (const [kind, run] of POINTER_ROWS)
          test(`${kind}: leads to its own upstream`, async () => {
            for (const label of LABELS) await run(await stage(), label);
          });
      };

      test('the first one’s addresses stay as they are, the second one’s name their owner', async () => {
        const [uris] = (await listedUris(await stage())) as [string[]];
        expect(uris.includes('file:///notes.txt')).toBe(true);
        expect(uris.includes(`viaduct://${second}/file:///notes.txt`)).toBe(true);
      });

      tryRows();

      describe('after the first was restarted', () => {
        test('the lists are as they were', async () => {
          const before = await listedUris(await stage());
          await (await stage()).restart(first);
          expect(await listedUris(await stage())).toEqual(before);
        });

        tryRows();
      });
    });
  });
});
