import { execFile } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { BIN, connectStdio, openServe, temporaryFolder, viaduct, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import type { Place } from '../../support/stores/checkpoint-writers.ts';
import { KINDS } from '../../support/stores/databases.ts';
import { callerOf, taskGateways } from './setup.ts';

const BOTH = { enabledWorkflows: ['checkpoint', 'tasks'] };
const P = { project_id: 'acme' };
const SAVE = { ...P, source_ide: 'zed', bundle_patch: { plan_steps: ['a'] }, force: true };

describe.each(KINDS)('open tasks when work is resumed, on %s', (kind) => {
  const { newPlace, configOf, envOf } = taskGateways(kind);

  async function connected(place: Place, config: string) {
    const client = await connectStdio(config, { env: envOf(place) });
    const briefing = async () => {
      const { value } = await client.request('prompts/get', { name: 'resume_checkpoint', arguments: P });
      return value.result.messages[0].content.text as string;
    };
    return { call: callerOf(client), briefing };
  }

  test('are with the checkpoint and in its briefing, those in progress first', async ({ skip }) => {
    const place = await newPlace(skip);
    const config = configOf(place, BOTH);
    const { call, briefing } = await connected(place, config);
    expect(await call('load_checkpoint', P)).toEqual({ bundle: null });
    const titles = ['# not a\nheading', 'begun', 'done'];
    const [first, begun, done] = await Promise.all(titles.map((title) => call('create_task', { ...P, title })));
    await call('create_task', { project_id: 'other', title: 'of another project' });
    await call('update_task', { task_id: begun.id, status: 'in-progress' });
    await call('update_task', { task_id: done.id, status: 'complete' });
    const open_tasks = {
      total: 2,
      tasks: [
        { id: begun.id, title: 'begun', status: 'in-progress' },
        { id: first.id, title: '# not a\nheading', status: 'need to be done' },
      ],
    };
    const section = `## Open tasks\n\n- [~] ${begun.id}: begun\n- [ ] ${first.id}: # not a heading\n`;
    expect(await call('load_checkpoint', P)).toEqual({ bundle: null, open_tasks });
    expect(await briefing()).toContain(`save_checkpoint.\n\n${section}`);
    await call('save_checkpoint', SAVE);
    expect(await call('load_checkpoint', P)).toMatchObject({ bundle: { plan_steps: ['a'] }, open_tasks });
    expect(await briefing()).toContain(section);
    expect(await call('load_checkpoint', { ...P, revision: 1 })).not.toHaveProperty('open_tasks');
    const words = ['checkpoint', 'show', 'acme', '--config', config];
    expect((await viaduct(words, envOf(place))).stdout).toContain(section);
    expect((await viaduct([...words, '--revision', '1'], envOf(place))).stdout).not.toContain('Open tasks');
  });

  test('are twenty at most', async ({ skip }) => {
    const place = await newPlace(skip);
    const { call, briefing } = await connected(place, configOf(place, BOTH));
    for (let count = 1; count <= 23; count++) await call('create_task', { ...P, title: `${count}` });
    const { open_tasks } = await call('load_checkpoint', P);
    expect([open_tasks.total, open_tasks.tasks.length, open_tasks.tasks[0].title]).toEqual([23, 20, '23']);
    expect(await briefing()).toContain('(3 more: list_tasks)');
  });

  test('are not told while the workflow is off, or to a client that may not see it', async ({ skip }) => {
    const place = await newPlace(skip);
    const tokens = {
      owner: tokenOf('owner'),
      plain: tokenOf('plain', { workflows: ['checkpoint'] }),
      other: tokenOf('other', { projects: ['globex'] }),
    };
    const server = { tokens: Object.values(tokens).map(({ entry }) => entry) };
    const profiles = { deaf: { tools: { deny: ['list_tasks'] } } };
    const { url } = await openServe(configOf(place, { ...BOTH, server, profiles }), envOf(place));
    const ask = async (
      address: string,
      { headers }: { headers: Record<string, string> },
      name: string,
      args: object,
    ) => {
      const session = await HttpSession.open(address, {}, '2025-11-25', headers);
      const { body } = await session.post(session.request('tools/call', { name, arguments: args }));
      return JSON.parse(body).result.structuredContent;
    };
    await ask(url, tokens.owner, 'create_task', { ...P, title: 't' });
    const loaded = (address: string, token: { headers: Record<string, string> }) =>
      ask(address, token, 'load_checkpoint', P);
    expect(await loaded(url, tokens.owner)).toMatchObject({ open_tasks: { total: 1 } });
    expect(await loaded(url, tokens.plain)).toEqual({ bundle: null });
    expect(await loaded(url, tokens.other)).toEqual({ bundle: null });
    expect(await loaded(`${url}/deaf`, tokens.owner)).toEqual({ bundle: null });
    const off = configOf(place, { enabledWorkflows: ['checkpoint'] });
    const { call } = await connected(place, off);
    expect(await call('load_checkpoint', P)).toEqual({ bundle: null });
    await call('save_checkpoint', SAVE);
    const { stdout } = await viaduct(['checkpoint', 'show', 'acme', '--config', off], envOf(place));
    expect(stdout).toContain('Checkpoint of acme');
    expect(stdout).not.toContain('Open tasks');
  });
});

test('a hook of Claude Code gets them without a gateway that runs', async () => {
  const [home, folder] = [temporaryFolder(), temporaryFolder()];
  const env = { ...process.env, VIADUCT_HOME: home };
  const config = writeConfig(BOTH);
  const hook = () =>
    new Promise<string>((resolve, reject) => {
      const words = [BIN, 'checkpoint', 'hook', 'load', '--config', config];
      const child = execFile(process.execPath, words, { env, cwd: folder }, (error, stdout) =>
        error === null ? resolve(stdout) : reject(error),
      );
      child.stdin!.end(JSON.stringify({ cwd: folder, hook_event_name: 'SessionStart' }));
    });
  expect(await hook()).toBe('');
  const call = callerOf(await connectStdio(config, { env }));
  const { id } = await call('create_task', { title: 'to be resumed' }, folder);
  expect(await hook()).toBe(`## Open tasks\n\n- [ ] ${id}: to be resumed\n\n`);
});
