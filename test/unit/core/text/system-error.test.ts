import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { systemErrorText } from '../../../../src/core/text/system-error.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('errors of the file system become a sentence that names the file and says what to do', () => {
  const folder = temporaryFolder();
  const none = path.join(folder, 'none');
  expect(systemErrorText(thrownBy(() => readFileSync(none)))).toBe(
    `${none} does not exist. Check the path (ENOENT, open)`,
  );
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(systemErrorText(thrownBy(() => readFileSync(path.join(file, 'x'))))).toContain('is not a folder');
  const denied = Object.assign(new Error('no'), { code: 'EACCES', path: '/etc/x', syscall: 'open' });
  expect(systemErrorText(denied)).toContain('/etc/x may not be used by this user. Check its owner and its mode');
});

test('other errors keep their own words', () => {
  expect(systemErrorText(new Error('ENOENT'))).toBeUndefined();
  expect(systemErrorText(Object.assign(new Error('x'), { code: 'ECONNRESET', path: '/x' }))).toBeUndefined();
  expect(systemErrorText('text')).toBeUndefined();
});
