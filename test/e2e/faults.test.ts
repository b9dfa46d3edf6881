import { rmSync } from 'node:fs';
import { afterAll, describe, expect, test, vi } from 'vitest';
import type { Fault } from '../../scripts/faults/fault.ts';
import { Scene } from '../../scripts/faults/scene.ts';
import { searchForSecret } from '../../scripts/faults/secret-search.ts';

// What is slow here may be slow because of other tests: `npm run faults` holds the limits.
vi.stubEnv('FAULT_PATIENCE', '10');
const { FAULTS } = await import('../../scripts/faults/rows/index.ts');

const folders: string[] = [];
const isHere = ({ platforms }: Fault) => platforms === undefined || platforms.includes(process.platform);

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The quick half of the fault list (`npm run faults` makes all of it); what must hold is in each row. */
describe('faults that are survived', () => {
  test.each(FAULTS.filter((fault) => fault.quick === true && isHere(fault)))('$id: $what', async (fault) => {
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
