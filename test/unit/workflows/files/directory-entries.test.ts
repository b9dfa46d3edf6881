import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { entriesOf } from '../../../../src/workflows/files/tools/directory-entries.ts';
import { workspaceSetup } from '../../workspace/workspace-setup.ts';

test('of a folder with too many entries some are listed, and that is said', async () => {
  const { sandbox, root } = workspaceSetup();
  const list = async (max: number) => {
    const { entries, isCut } = await entriesOf(sandbox, '.', max);
    return { count: entries.length, isCut };
  };
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(root, name), '');
  expect(await list(3)).toEqual({ count: 3, isCut: false });
  writeFileSync(path.join(root, 'd'), '');
  expect(await list(3)).toEqual({ count: 3, isCut: true });
});
