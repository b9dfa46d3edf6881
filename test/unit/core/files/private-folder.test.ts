import { chmodSync, chownSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { whyNotPrivate, whyReplaceable } from '../../../../src/core/files/private-folder.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

let parent: string;
let folder: string;

beforeEach(() => {
  parent = temporaryFolder();
  folder = path.join(parent, 'run');
  mkdirSync(folder, { mode: 0o700 });
});

describe.skipIf(process.platform === 'win32')('a folder for sockets', () => {
  test('of this user is private', () => {
    expect(whyNotPrivate(folder)).toBeUndefined();
  });

  test('that others may only read is private', () => {
    chmodSync(folder, 0o755);
    expect(whyNotPrivate(folder)).toBeUndefined();
  });

  test.each([0o770, 0o707, 0o777, 0o1777])('with mode %o is not private', (mode) => {
    chmodSync(folder, mode);
    expect(whyNotPrivate(folder)).toContain('others may write to it');
  });

  test('that is a link to a private folder is not private', () => {
    const link = path.join(parent, 'link');
    symlinkSync(folder, link);
    expect(whyNotPrivate(link)).toContain('it is a link');
  });

  test('that is a file is not private', () => {
    const file = path.join(parent, 'file');
    writeFileSync(file, '', { mode: 0o600 });
    expect(whyNotPrivate(file)).toContain('it is no folder');
  });

  test.skipIf(process.getuid?.() !== 0)('of another user is not private', () => {
    chownSync(folder, 65_534, 65_534);
    expect(whyNotPrivate(folder)).toContain('it belongs to another user');
  });

  test('that is not there is an error', () => {
    expect(() => whyNotPrivate(path.join(parent, 'missing'))).toThrow('ENOENT');
  });
});

describe.skipIf(process.platform === 'win32')('a private folder', () => {
  beforeEach(() => {
    parent = realpathSync(parent);
    folder = realpathSync(folder);
  });

  test('below folders of this user and of root cannot be replaced', () => {
    expect(whyReplaceable(folder)).toBeUndefined();
  });

  test.each([0o777, 0o775])('below a folder with mode %o can be replaced', (mode) => {
    chmodSync(parent, mode);
    expect(whyReplaceable(folder)).toBe(`others may rename what is in ${parent}`);
  });

  test('below a folder like /tmp cannot be replaced', () => {
    chmodSync(parent, 0o1777);
    expect(whyReplaceable(folder)).toBeUndefined();
  });

  test.skipIf(process.getuid?.() !== 0)('below a folder of another user can be replaced', () => {
    chownSync(parent, 65_534, 65_534);
    expect(whyReplaceable(folder)).toBe(`others may rename what is in ${parent}`);
  });

  test('that others may write to is not private', () => {
    chmodSync(folder, 0o770);
    expect(whyReplaceable(folder)).toBe('others may write to it');
  });
});
