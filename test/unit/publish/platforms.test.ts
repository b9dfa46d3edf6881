import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ASKS = /process\.platform|NodeJS\.Platform|'win32'|'darwin'/;

test('docs/internals/PLATFORMS.md lists the files that ask for the platform', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const asking = files.filter((file) => ASKS.test(readFileSync(path.join('src', file), 'utf8')));
  const rows = readFileSync('docs/internals/PLATFORMS.md', 'utf8').matchAll(/^\| `([\w-]+\.ts)`/gm);
  const listed = [...rows].map(([, file]) => file!);
  // Files keep their place in the list when they move to another folder.
  expect(listed.toSorted()).toEqual(asking.map((file) => path.basename(file)).toSorted());
});
