import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BIN, freshHome, startServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function scene(more: object = { enabledWorkflows: ['rag'] }) {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'docs'));
  const config = writeConfig({ workspace: { root: folder }, ...more });
  const env = freshHome();
  const run = (...words: string[]) =>
    new Promise<Ran>((resolve) => {
      const args = [BIN, ...words, '--config', config];
      execFile(process.execPath, args, { env, cwd: path.join(folder, 'docs') }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  const write = (file: string, text: string) => writeFileSync(path.join(folder, 'docs', file), text);
  return { folder, config, env, run, write };
}

/** Each of its commands is a process of its own. */
const MANY_PROCESSES_MS = 180_000;

test.each(['alone', 'through the gateway that runs'])(
  'ingests, queries and lists, %s',
  ingestsAndQueries,
  MANY_PROCESSES_MS,
);

async function ingestsAndQueries(way: string): Promise<void> {
  const { config, env, run, write, folder } = scene();
  if (way !== 'alone') await startServe(config, env);
  expect(await run('rag', 'collections')).toMatchObject({ code: 0, stdout: 'There are no collections yet.\n' });
  write('a.md', '## Okapi\n\nThe okapi is a \u001b[31mgiraffe.');
  const ingested = await run('rag', 'ingest', 'a.md', '--collection', 'zoo');
  expect(ingested).toMatchObject({ code: 0 });
  expect(ingested.stdout).toBe(`Successfully ingested file ${folder}/docs/a.md (1 chunks) into collection zoo\n`);
  const found = await run('rag', 'query', 'what is an okapi', '-C', 'zoo');
  expect(found.code).toBe(0);
  expect(found.stdout).toMatch(/^docs\/a\.md {2}Okapi {2}\(\d\.\d\d\)\n {4}## Okapi\n/);
  expect(found.stdout).not.toContain('\u001b');
  const asJson = JSON.parse((await run('rag', 'query', 'okapi', '-C', 'zoo', '--json')).stdout);
  expect(asJson).toMatchObject({ collection: 'zoo', results: [{ source: 'docs/a.md' }] });
  expect(await run('rag', 'query', 'xylophone', '-C', 'zoo')).toMatchObject({
    code: 1,
    stdout: 'Nothing was found.\n',
  });
  expect((await run('rag', 'collections', '--stats')).stdout).toMatch(/^zoo +1 parts +green\n$/);
  write('b.pdf', 'no PDF');
  const partly = await run('rag', 'ingest', '.', '-C', 'zoo', '--recreate');
  expect(partly.code).toBe(1);
  expect(partly.stdout).toContain('1 of 2 documents could not be ingested');
  expect(partly.stderr).toContain('docs/b.pdf: it is damaged, or no PDF');
}

test('what is wrong is said, with exit code 1', async () => {
  const { run } = scene();
  const missing = await run('rag', 'query', 'x');
  expect(missing).toMatchObject({ code: 1, stdout: '' });
  expect(missing.stderr).toContain('there is no collection hostuk-docs');
  expect((await run('rag', 'query', 'x', '--limit', '0')).code).toBe(2);
});

test('the workflow is off', async () => {
  const { run } = scene({});
  const { code, stderr } = await run('rag', 'collections');
  expect(code).toBe(1);
  expect(stderr).toContain('the workflow "rag" is off. Add it to enabledWorkflows');
});

test('doctor says whether documents can be read, where the workflow is on', async () => {
  const checks = async ({ run }: ReturnType<typeof scene>) => JSON.parse((await run('doctor', '--json')).stdout);
  const nameOf = ({ name }: any) => name;
  const report = await checks(scene());
  const list = Array.isArray(report) ? report : report.checks;
  expect(list.find((check: any) => check.name === 'documents')).toEqual({
    name: 'documents',
    mark: 'ok',
    text: 'HTML, Word and PDF can be read',
  });
  const off = await checks(scene({}));
  expect((Array.isArray(off) ? off : off.checks).map(nameOf)).not.toContain('documents');
});
