import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Fault } from '../../../scripts/faults/fault.ts';
import { Scene } from '../../../scripts/faults/scene.ts';
import { searchForSecret } from '../../../scripts/faults/secret-search.ts';
import { removeFolder } from '../../support/folders.ts';

// What is slow here may be slow because of other tests: `npm run faults` holds the limits.
vi.stubEnv('FAULT_PATIENCE', '10');
const { FAULTS } = await import('../../../scripts/faults/rows/index.ts');

const isHere = ({ platforms }: Fault) => platforms === undefined || platforms.includes(process.platform);

/**
 * A part of the quick half of the fault list (`npm run faults` makes all of it), so that several files share it; what must
 * hold is in each row.
 */
export function survive({ part, of }: { part: number; of: number }): void {
  const faults = FAULTS.filter((fault) => fault.quick === true && isHere(fault));
  const folders: string[] = [];

  afterAll(() => {
    for (const folder of folders) removeFolder(folder);
  });

  describe('faults that are survived', () => {
    test.each(faults.filter((_, index) => index % of === part))('$id: $what', async (fault) => {
      const scene = new Scene();
      folders.push(scene.folder);
      try {
        await fault.run(scene);
      } finally {
        await scene.close();
      }
    });

    test('nothing that the gateways wrote contains the secret that was planted', () => {
      const { files, finds } = searchForSecret(folders);
      expect(files).toBeGreaterThan(folders.length);
      expect(finds).toEqual([]);
    });
  });
}
