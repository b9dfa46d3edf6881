import { describe, expect, test } from 'vitest';
import { fileProblem, folderProblem } from '../../../../src/config/source/ownership.ts';

const self = process.getuid?.() ?? 0;
const STRANGER = self + 4711;
const FILE = 0o100000;
const FOLDER = 0o040000;
const STICKY = 0o1000;

describe.skipIf(process.platform === 'win32')('a file', () => {
  test.each([
    ['of this user', self, 1, 0o644, undefined],
    ['of root', 0, 0, 0o644, undefined],
    ['of somebody else', STRANGER, 1, 0o600, 'belongs to another user'],
    ['that everybody may write', self, self, 0o602, 'other users may change it (mode 0602)'],
    ['that a group may write', self, self + 1, 0o620, `of its group (gid ${self + 1})`],
    ['of root that its group may write', 0, 0, 0o664, 'of its group (gid 0)'],
    ['that everybody may read and run', self, self + 1, 0o755, undefined],
  ])('%s', (_what, uid, gid, mode, message) => {
    const problem = fileProblem('/x', { uid, gid, mode: FILE | mode });
    if (message === undefined) expect(problem).toBeUndefined();
    else expect(problem?.message).toContain(message);
  });

  test('that the user’s own group may write is the user’s own, unless that is root’s', () => {
    const uid = self === 0 ? 0 : self;
    const problem = fileProblem('/x', { uid, gid: uid, mode: FILE | 0o664 });
    expect(problem === undefined).toBe(uid !== 0);
  });

  test('is named in the command that corrects it as a shell wants it', () => {
    expect(fileProblem("/a b/it's", { uid: self, gid: self, mode: 0o666 })?.fix).toBe(
      String.raw`chmod go-w '/a b/it'\''s'`,
    );
    expect(fileProblem('/x', { uid: STRANGER, gid: 1, mode: 0o600 })?.fix).toBe(`sudo chown ${self} /x`);
  });
});

describe.skipIf(process.platform === 'win32')('a folder', () => {
  test.each([
    ['of this user', self, 0o755, undefined],
    ['that everybody may write', self, 0o777, 'other users may change it'],
    ['in which only owners may replace files', 0, STICKY | 0o777, undefined],
    ['of somebody else', STRANGER, STICKY | 0o777, 'belongs to another user'],
  ])('%s', (_what, uid, mode, message) => {
    const problem = folderProblem('/x', { uid, gid: 4711, mode: FOLDER | mode });
    if (message === undefined) expect(problem).toBeUndefined();
    else expect(problem?.message).toContain(message);
  });
});
