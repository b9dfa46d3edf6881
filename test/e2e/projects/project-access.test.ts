import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenOf } from '../../support/auth/tokens.ts';
import { freshHome, openServe, type Serving, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { HttpSession } from '../../support/http/http-client.ts';
import { ModernHttpClient } from '../../support/http/modern-http-client.ts';
import { changesFor, closeListeners, dataOf } from './listeners.ts';

const ACME = tokenOf('acme', { projects: ['acme-*'] });
const GLOBEX = tokenOf('globex', { projects: ['globex-*'] });
const OWNER = tokenOf('owner');
const WORKFLOWS = { enabledWorkflows: ['checkpoint', 'metrics'] };
const URI = 'checkpoint://globex-web';

type Ask = (method: string, params?: object) => Promise<any>;

async function legacyAsk(url: string, headers: Record<string, string> = {}): Promise<Ask> {
  const session = await HttpSession.open(url, {}, '2025-11-25', headers);
  return async (method, params) => JSON.parse((await session.post(session.request(method, params))).body);
}

async function modernAsk(url: string, headers: Record<string, string> = {}): Promise<Ask> {
  const client = new ModernHttpClient(url);
  return async (method, params) => (await client.post(method, params, { headers })).json;
}

const ERAS = [
  ['legacy', legacyAsk],
  ['modern', modernAsk],
] as const;

const call = (ask: Ask, name: string, args: object = {}) => ask('tools/call', { name, arguments: args });

const save = (ask: Ask, project: string, plan: string) =>
  call(ask, 'save_checkpoint', {
    project_id: project,
    source_ide: 'zed',
    bundle_patch: { decisions: [{ id: 'd1', text: plan }], todos: [{ id: 't1', text: plan }] },
    force: true,
  });

async function fill(ask: Ask): Promise<void> {
  for (const name of ['acme', 'globex']) {
    expect(await save(ask, `${name}-web`, `secret of ${name}`)).not.toHaveProperty('error');
    const type = `build-of-${name}`;
    await call(ask, 'metrics_record', { type, repo: `${name}-web`, agent_id: `agent-of-${name}` });
  }
  await call(ask, 'metrics_record', { type: 'build-of-nobody' });
}

/** Every request by which a client could learn of a project or its events; `folder` is one of the project. */
const readsOf = (project: string, folder: string): readonly (readonly [string, object?])[] => [
  ['tools/call', { name: 'list_projects', arguments: {} }],
  ['tools/call', { name: 'load_checkpoint', arguments: { project_id: project } }],
  ['tools/call', { name: 'load_checkpoint', arguments: { project_id: project, revision: 1, fidelity: 'L3' } }],
  ['tools/call', { name: 'list_checkpoints', arguments: { project_id: project } }],
  ['tools/call', { name: 'diff_checkpoints', arguments: { project_id: project } }],
  ['tools/call', { name: 'metrics_query', arguments: {} }],
  ['tools/call', { name: 'get_project_id', arguments: { cwd: folder } }],
  ['prompts/get', { name: 'resume_checkpoint', arguments: { project_id: project } }],
  ['prompts/list'],
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: `checkpoint://${project}` }],
  ...[
    { type: 'ref/prompt', name: 'resume_checkpoint' },
    { type: 'ref/resource', uri: 'checkpoint://{project_id}' },
  ].map((ref) => ['completion/complete', { ref, argument: { name: 'project_id', value: '' } }] as const),
];

/** Every change of a project. */
const changesOf = (project: string): readonly (readonly [string, object])[] => [
  ['save_checkpoint', { project_id: project, source_ide: 'zed', bundle_patch: { todos: [] }, force: true }],
  ['save_checkpoint', { project_id: project, source_ide: 'zed', bundle_patch: { todos: [] } }],
  ['append_decision', { project_id: project, text: 'x' }],
  ['append_todo', { project_id: project, text: 'x' }],
  ['update_todo', { project_id: project, todo_id: 't1', status: 'done' }],
  ['complete_todo', { project_id: project, todo_id: 't1' }],
  ['delete_project', { project_id: project, confirm: true }],
];

/** What names the caller's own question is no news. */
const withoutQuestion = (text: string) =>
  text
    .replaceAll(/(?:project|Checkpoint of) globex-web/g, '')
    .replaceAll('"project_id":"globex-web"', '')
    .replaceAll(URI, '');

async function everythingSeen(ask: Ask, project: string, folder: string): Promise<string> {
  const answers: string[] = [];
  for (const [method, params] of readsOf(project, folder)) {
    const answer = JSON.stringify(await ask(method, params));
    answers.push(answer.replaceAll('\\n', '').replaceAll('\\"', '"').replaceAll('": "', '":"'));
  }
  return answers.join('\n');
}

describe('tokens with projects', () => {
  const ends: (() => unknown)[] = [];
  let serving: Serving;
  let folder: string;

  beforeAll(async () => {
    folder = temporaryFolder((end) => ends.push(end));
    writeFileSync(path.join(folder, '.viaduct.yaml'), 'project_id: globex-web\n');
    const server = { tokens: [ACME.entry, GLOBEX.entry, OWNER.entry] };
    const config = writeConfig({ ...WORKFLOWS, server, workspace: { clientFolders: [folder] } }, folder);
    const env = { ...process.env, VIADUCT_HOME: path.join(folder, 'home') };
    serving = await openServe(config, env, (end) => ends.push(end));
    await fill(await legacyAsk(serving.url, OWNER.headers));
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  describe.each(ERAS)('for %s clients', (_era, open) => {
    test('nothing of another project is read', async () => {
      const seen = await everythingSeen(await open(serving.url, ACME.headers), 'globex-web', folder);
      expect(withoutQuestion(seen)).not.toMatch(/globex|build-of-nobody/);
      expect(seen).toContain('build-of-acme');
      expect(seen).toContain('checkpoint://acme-web');
    });

    test('all of the own project is read, by the owner too', async () => {
      for (const token of [GLOBEX, OWNER]) {
        const seen = await everythingSeen(await open(serving.url, token.headers), 'globex-web', folder);
        for (const part of ['secret of globex', 'build-of-globex', 'agent-of-globex', URI, '"tier":"file"'])
          expect(seen).toContain(part);
        expect(seen.includes('build-of-acme')).toBe(token === OWNER);
        expect(seen.includes('build-of-nobody')).toBe(token === OWNER);
      }
    });

    test('a change of another project is refused, whether there is one or not', async () => {
      const ask = await open(serving.url, ACME.headers);
      for (const project of ['globex-web', 'globex-none']) {
        for (const [name, args] of changesOf(project)) {
          const text = JSON.stringify(await call(ask, name, args));
          expect([name, text]).toEqual([
            name,
            expect.stringContaining(`may not use the project ${project}: \\"projects\\"`),
          ]);
        }
      }
      const owner = await open(serving.url, OWNER.headers);
      const { result } = await call(owner, 'list_checkpoints', { project_id: 'globex-web' });
      expect(result.structuredContent.checkpoints).toHaveLength(1);
    });

    test('events are recorded for the own repo only', async () => {
      const ask = await open(serving.url, ACME.headers);
      const foreign = [{ repo: 'globex-web' }, { repo: `acme-${'x'.repeat(300)}` }, { repo: '' }, {}];
      for (const args of foreign) {
        const answer = await call(ask, 'metrics_record', { type: 'intruder', ...args });
        expect(JSON.stringify(answer)).toContain('may not use events');
      }
      const own = await call(ask, 'metrics_record', { type: 'own', repo: 'acme-web' });
      expect(own.result.structuredContent.success).toBe(true);
      expect(JSON.stringify(await call(await open(serving.url, OWNER.headers), 'metrics_query'))).not.toContain(
        'intruder',
      );
    });

    test('the folder of another project helps nobody', async () => {
      const ask = await open(serving.url, { ...ACME.headers, 'x-viaduct-cwd': folder });
      for (const name of ['load_checkpoint', 'list_checkpoints', 'append_todo']) {
        const text = JSON.stringify(await call(ask, name, { ...(name === 'append_todo' && { text: 'x' }) }));
        expect(text).toContain('may not use the project of this folder');
        expect(text).not.toContain('globex');
      }
    });
  });

  test('changes are told to those who may see the project, and to nobody else', async () => {
    const listeners = await Promise.all(
      [ACME, OWNER].map((token) => changesFor(serving.url, token, [URI, 'checkpoint://acme-web'])),
    );
    const [acme, owner] = listeners as [Awaited<ReturnType<typeof changesFor>>, Awaited<ReturnType<typeof changesFor>>];
    const ask = await legacyAsk(serving.url, OWNER.headers);
    await save(ask, 'globex-new', 'new secret');
    await owner.until((method) => method === 'notifications/resources/list_changed');
    await save(ask, 'globex-web', 'another secret');
    await owner.until((_method, uri) => uri === URI);
    expect(acme.seen()).toEqual([]);
    await save(ask, 'acme-web', 'another plan');
    await acme.until((_method, uri) => uri === 'checkpoint://acme-web');
    await save(ask, 'acme-new', 'new plan');
    await acme.until((method) => method === 'notifications/resources/list_changed');
    expect(JSON.stringify(acme.seen())).not.toContain('globex');
    closeListeners(listeners);
  });
});

describe('a profile whose projects change', () => {
  test('shows its clients other projects at once, and tells them no more of the old ones', async () => {
    const folder = temporaryFolder();
    const rewrite = (globs: string[]) => writeConfig({ ...WORKFLOWS, profiles: { team: { projects: globs } } }, folder);
    const serving = await openServe(rewrite(['acme-*']), freshHome());
    const owner = await legacyAsk(serving.url);
    await fill(owner);
    const session = await HttpSession.open(`${serving.url}/team`);
    const ask: Ask = async (method, params) => JSON.parse((await session.post(session.request(method, params))).body);
    const stream = dataOf(await session.listen());
    expect(await ask('resources/subscribe', { uri: 'checkpoint://acme-web' })).toHaveProperty('result');
    expect(JSON.stringify(await ask('resources/list'))).toContain('acme-web');

    rewrite(['globex-*']);
    expect((await stream.next()).value.method).toBe('notifications/resources/list_changed');
    const listed = JSON.stringify(await ask('resources/list'));
    expect(listed).toContain('globex-web');
    expect(listed).not.toContain('acme-web');
    expect(await ask('resources/subscribe', { uri: URI })).toHaveProperty('result');
    await save(owner, 'acme-web', 'unseen');
    await save(owner, 'globex-web', 'seen');
    const told = (await stream.next()).value;
    expect(told).toMatchObject({ method: 'notifications/resources/updated', params: { uri: URI } });
  });
});
