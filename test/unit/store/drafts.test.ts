import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownStamp, type ProcessStamp, stampText } from '../../../src/core/processes/process-stamp.ts';
import { draftName, sweepDrafts } from '../../../src/store/drafts.ts';
import { writeWhole } from '../../../src/store/write-whole.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const FOREIGN = { place: '00000000' };
const GONE = { startedAt: '1', pid: 2 ** 22 + 1 };

let left = 0;

function leave(folder: string, name: string, stamp: Partial<ProcessStamp>, minutes = 0): string {
  const draft = `${name}.${stampText({ ...ownStamp(), ...stamp })}-${String(++left).padStart(8, '0')}.draft`;
  writeFileSync(path.join(folder, draft), 'a token');
  const then = new Date(Date.now() - minutes * 60_000);
  utimesSync(path.join(folder, draft), then, then);
  return draft;
}

test('drafts of processes that are gone are removed, and nothing else', () => {
  const folder = temporaryFolder();
  const own = path.basename(draftName(path.join(folder, 'a.json')));
  const kept = [own, 'a.json', 'a.json.draft', 'b.draft', '1-2-0123abcd-0123abcd.draft'];
  for (const name of kept) writeFileSync(path.join(folder, name), '');
  const written = leave(folder, 'a.json', FOREIGN, 5);
  leave(folder, 'a.json', FOREIGN, 15);
  leave(folder, 'a.json', GONE);
  sweepDrafts(folder);
  expect(readdirSync(folder).sort()).toEqual([...kept, written].sort());
  sweepDrafts(path.join(folder, 'missing'));
});

test('in a folder of the user, only drafts of the file itself are removed', () => {
  const folder = temporaryFolder();
  const other = leave(folder, 'b.json', GONE);
  leave(folder, 'a.json', GONE);
  sweepDrafts(folder, 'a.json');
  expect(readdirSync(folder)).toEqual([other]);
});

test('the first write into a folder removes what was left there', () => {
  const folder = temporaryFolder();
  leave(folder, 'other.json', GONE);
  writeWhole(path.join(folder, 'file.json'), '{}');
  expect(readdirSync(folder)).toEqual(['file.json']);
});

test('a file that cannot take its name leaves no draft', () => {
  const folder = temporaryFolder();
  writeWhole(path.join(folder, 'place', 'within'), '');
  expect(() => writeWhole(path.join(folder, 'place'), 'text')).toThrow(/EISDIR|EPERM|ENOTEMPTY|EEXIST/);
  expect(readdirSync(folder)).toEqual(['place']);
});
