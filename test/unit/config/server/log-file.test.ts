import path from 'node:path';
import { expect, test } from 'vitest';
import { auditFileProblem, logFileProblem } from '../../../../src/config/server/log-file.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const inFolder = (folder: string) => ({ folder, env: {}, written: '', parent: {} });

test('the command that makes the folder of the log is quoted for a shell', () => {
  const folder = temporaryFolder();
  const missing = path.join(folder, 'my $(logs)');
  expect(logFileProblem('my $(logs)/viaduct.log', inFolder(folder))).toEqual({
    message: `there is no folder ${missing}`,
    hint: `create it first: mkdir -p '${missing}'`,
  });
});

test('a file in a folder that exists is no problem, and the folder of the audit need not exist', () => {
  const folder = temporaryFolder();
  expect(logFileProblem('viaduct.log', inFolder(folder))).toBeUndefined();
  expect(auditFileProblem('audits/audit.jsonl', inFolder(folder))).toBeUndefined();
});
