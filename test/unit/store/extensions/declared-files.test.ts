import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DeclaredFiles } from '../../../../src/store/extensions/declared-files.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { entryOf } from '../../upstream/entries.ts';

test('what servers declared comes back for the same entry, and never fails', () => {
  const folder = path.join(temporaryFolder(), 'declared');
  const errors: unknown[] = [];
  const files = new DeclaredFiles(folder, (error) => errors.push(error));
  const entry = entryOf({});
  expect(files.load(entry)).toBeUndefined();
  files.save(entry, { extensions: { é: {} } });
  expect(files.load(entry)).toEqual({ extensions: { é: {} } });
  expect(files.load(entryOf({ command: 'another' }))).toBeUndefined();
  const [name] = readdirSync(folder);
  writeFileSync(path.join(folder, name!), '[]');
  expect(files.load(entry)).toBeUndefined();
  expect(errors).toEqual([]);
  writeFileSync(path.join(folder, name!), '{');
  expect(files.load(entry)).toBeUndefined();
  new DeclaredFiles(path.join(folder, name!), (error) => errors.push(error)).save(entry, {});
  expect(errors).toHaveLength(2);
});
