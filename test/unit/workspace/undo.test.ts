import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workspaceSetup } from './workspace-setup.ts';

test('x', async () => {
  const { write, root, undo, errors } = workspaceSetup();
  await write('a/b.txt', 'one');
  expect(readFileSync(path.join(root, 'a/b.txt'), 'utf8')).toBe('one');
  console.log(JSON.stringify(await undo()), errors);
});
