import { expect, test } from 'vitest';
import { setStage } from './stage.ts';

const NOTES = 'file:///notes.txt';
const NOTES_OF = { a: NOTES, b: `viaduct://b/${NOTES}` } as const;

for (const clientEra of ['legacy', 'modern'] as const)
  for (const upstreamEra of ['legacy', '2026-07-28'] as const)
    test.each(['a', 'b'] as const)(
      `one of two upstreams with the same uri is not watched any more, the other one is: ${clientEra} client, ${upstreamEra} upstreams, %s`,
      async (left) => {
        const { client, seen } = await setStage({ clientEra, upstreamEra });
        const other = left === 'a' ? 'b' : 'a';
        const told = (label: 'a' | 'b') => client.updates().filter((uri) => uri === NOTES_OF[label]).length;
        const touch = (label: 'a' | 'b') => client.call(`${label}_touch`, { uri: NOTES });
        const unsubscribe = { a: await client.subscribe(NOTES_OF.a), b: await client.subscribe(NOTES_OF.b) };
        // A stream of changes of a modern upstream may have to be opened first.
        for (const label of ['a', 'b'] as const)
          await expect
            .poll(async () => {
              await touch(label);
              return told(label);
            })
            .toBeGreaterThan(0);
        await unsubscribe[left]();
        if (upstreamEra === 'legacy') await expect.poll(() => seen(left)).toContain(`unsubscribe ${NOTES}`);
        const before = { a: told('a'), b: told('b') };
        await touch(left);
        await touch(other);
        await expect.poll(() => told(other)).toBe(before[other] + 1);
        expect(told(left)).toBe(before[left]);
        expect(seen(other)).not.toContain(`unsubscribe ${NOTES}`);
      },
    );
