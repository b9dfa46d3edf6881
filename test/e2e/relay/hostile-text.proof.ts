import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connectStdio, fixture, freshHome, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';

const HIDDEN = '\u001b[2J\u009b31m\u202e\u2066\u200b\u{e0069}\u{e0067}';
/** Line feeds aside. */
const FORBIDDEN = /(?!\n)[\p{Cc}\u200b\u202e\u2066\u{e0000}-\u{e007f}]/u;

test('texts of a tool reach no client and no terminal with what they hide; what it gets back is as it was', async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'tools.json');
  const poisoned = {
    name: 'poisoned',
    title: `T${HIDDEN}`,
    description: `D${HIDDEN}`,
    inputSchema: { type: 'object', properties: { a: { type: 'string', description: `P${HIDDEN}` } } },
    annotations: { title: `A${HIDDEN}` },
  };
  const honest = '{ "name":"honest", "description":"Größe — “quoted” 👩‍👩‍👧","inputSchema":{"type":"object" } }';
  const returned = { name: 'returned', inputSchema: { type: 'object', properties: { a: { enum: [HIDDEN] } } } };
  writeFileSync(file, `[${JSON.stringify(poisoned)},${honest},${JSON.stringify(returned)}]`);
  const config = writeConfig({ upstreams: { f: fixture('changing', `--tools=${file}`) } }, folder);
  const env = freshHome();

  const client = await connectStdio(config, { env });
  await expect.poll(() => client.toolNames()).toContain('f_poisoned');
  const list = await client.request('tools/list');
  expect(list.value.result.tools[0]).toEqual({
    name: 'f_poisoned',
    title: 'T',
    description: 'D',
    inputSchema: { type: 'object', properties: { a: { type: 'string', description: 'P' } } },
    annotations: { title: 'A' },
  });
  expect(list.text).toContain(honest.replace('"honest"', '"f_honest"'));
  expect(list.value.result.tools[2].inputSchema).toEqual(returned.inputSchema);

  const shown: string[] = [];
  const run = async (...words: string[]) => {
    const { stdout, stderr } = await viaduct([...words, '--config', config], env);
    shown.push(stdout, stderr);
    return stdout;
  };
  await run('tools');
  expect(await run('status')).toContain('f: tool "returned" has invisible characters in what it gets back');
  writeFileSync(file, JSON.stringify([{ ...poisoned, description: `Now${HIDDEN}` }]));
  await expect.poll(async () => (await client.request('tools/list')).text).toContain('"Now"');
  expect(await run('pins', 'diff', 'f', 'poisoned')).toContain('+  "description": "Now\\u001b[2J\\u009b31m\\u202e');
  expect(shown.filter((text) => FORBIDDEN.test(text))).toEqual([]);
});

test('what an upstream says on standard error is kept without what a terminal obeys', async () => {
  const command = process.execPath;
  const args = ['-e', `process.stderr.write('\\u001b[31mred\\u001b[0m \\u202eword\\n'); process.exit(3)`];
  const config = writeConfig({ upstreams: { f: { command, args, restart: 'never' } } });
  const { stdout } = await viaduct(['status', '--json', '--config', config]);
  expect(JSON.parse(stdout).upstreams[0].stderr).toEqual(['red word']);
});
