import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/gateway.ts';
import { issuesOf, parse } from '../parse-text.ts';

const withAudit = (audit: object) => JSON.stringify({ schemaVersion: 1, audit });

test('every key is taken', () => {
  const audit = { enabled: false, arguments: 'redacted', maxMegabytes: 10_000, files: 1_000, keepDays: 1 };
  expect(parse(withAudit(audit)).audit).toEqual(audit);
});

test('a file is seen from the folder of the config, and from the home folder', () => {
  expect(parse(withAudit({ file: 'logs/calls.jsonl' })).audit.file).toBe('/home/me/project/logs/calls.jsonl');
  expect(parse(withAudit({ file: '~/calls.jsonl' })).audit.file).toBe('/home/me/calls.jsonl');
  expect(parse(withAudit({ file: '/x/$' + '{TOKEN}.jsonl' })).audit.file).toBe('/x/tok-123456.jsonl');
});

test('a file that is a folder, or in something that is none, is an error', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect(issuesOf(withAudit({ file: folder }))).toEqual([
    `1:36 audit.file: ${folder} is a folder -> name a file in it: ${folder}/audit.jsonl`,
  ]);
  expect(issuesOf(withAudit({ file: `${file}/x` }))).toEqual([
    `1:36 audit.file: ${file} is no folder -> name a file in a folder`,
  ]);
  expect(parse(withAudit({ file: `${folder}/new/x` })).audit.file).toBe(`${folder}/new/x`);
});

test.each([
  [{ arguments: 'all' }, 'must be digest, redacted or off'],
  [{ files: 1 }, 'must be a whole number from 2 to 1000'],
  [{ maxMegabytes: 0.5 }, 'must be a whole number from 1 to 10000'],
  [{ enabled: 'no' }, 'must be true or false'],
])('%j is an error', (audit, message) => {
  expect(issuesOf(withAudit(audit))[0]).toContain(message);
});
