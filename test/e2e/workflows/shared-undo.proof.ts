import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectStdio, freshHome, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';
import { startPostgres, type TestPostgres } from '../../support/stores/postgres.ts';

let server: TestPostgres | undefined;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server?.stop());

describe('viaduct undo on two machines with one PostgreSQL', () => {
  /** The same paths on both, as on machines that were set up alike; each has a home of its own. */
  async function setUp(skip: () => never) {
    if (server === undefined) return skip();
    const root = realpathSync(temporaryFolder());
    const file = path.join(root, 'a.txt');
    writeFileSync(file, 'before');
    const database = await server.newDatabase();
    const config = writeConfig({ enabledWorkflows: ['files'], workspace: { root }, database });
    const [alpha, beta] = [freshHome(), freshHome()];
    const client = await connectStdio(config, { env: alpha });
    await client.callText('file_write', { path: 'a.txt', content: 'by alpha' });
    const undo = (env: NodeJS.ProcessEnv, ...words: string[]) => viaduct(['undo', ...words, '--config', config], env);
    return { file, alpha, beta, undo };
  }

  test('leaves alone what the other machine has changed, and says so', async ({ skip }) => {
    const { file, beta, undo } = await setUp(skip);
    const left = `1 change of other machines (${hostname()})`;

    const listed = await undo(beta, '--list');
    expect(listed).toMatchObject({ code: 0, stdout: 'No changes of this machine are kept.\n' });
    expect(listed.stderr).toContain(left);
    expect(await undo(beta, '--list', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });

    const last = await undo(beta);
    expect(last).toMatchObject({ code: 0, stdout: 'There is nothing to undo.\n' });
    expect(last.stderr).toContain(left);

    const byNumber = await undo(beta, '1');
    expect(byNumber.code).toBe(1);
    expect(byNumber.stderr).toContain(`it was made on another machine (${hostname()}): undo it there`);
    expect(readFileSync(file, 'utf8')).toBe('by alpha');
  });

  test('takes in what another machine has changed when it is told to', async ({ skip }) => {
    const { file, beta, undo } = await setUp(skip);
    const listed = await undo(beta, '--list', '--any-machine', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id: 1, elsewhere: hostname(), paths: [file] }]);
    expect(listed.stderr).toBe('');
    expect((await undo(beta, '--any-machine')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toBe('before');
  });

  test('undoes the changes of its own machine', async ({ skip }) => {
    const { file, alpha, undo } = await setUp(skip);
    expect(await undo(alpha, '--list')).toMatchObject({ code: 0, stderr: '' });
    expect(await undo(alpha)).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe('before');
  });
});
