import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { tokenOf } from '../../../../test/support/auth/tokens.ts';
import { ModernHttpClient } from '../../../../test/support/http/modern-http-client.ts';
import { assertThat } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import type { Entry, Scene } from '../../scene.ts';

const SECRET = 'text-of-the-closed-folder';
const REFUSED = /is not open to clients that come over HTTP/;
const AGENT = tokenOf('agent');
const ACME = tokenOf('acme', { projects: ['acme-*'] });

const cwd = (folder: string) => ({ 'X-Viaduct-Cwd': encodeURIComponent(folder) });
const bundle = (plan: string) => ({ source_ide: 'cursor', bundle_patch: { plan_steps: [plan] }, force: true });

type Call = (tool: string, args: object, headers?: Readonly<Record<string, string>>) => Promise<string>;

/** A folder that clients may name and one that they may not, and a gateway over HTTP. Returns how a client calls it. */
async function open(scene: Scene, config: Entry) {
  const folders = ['open', 'closed'].map((name) => path.join(scene.folder, name)) as [string, string];
  for (const folder of folders) {
    mkdirSync(folder);
    execFileSync('git', ['init', '-q', folder], { stdio: 'ignore' });
    writeFileSync(path.join(folder, 'notes.txt'), folder.endsWith('closed') ? SECRET : 'nothing');
  }
  const { url } = await scene.serve(scene.config({ workspace: { clientFolders: [folders[0]] }, ...config }));
  const client = new ModernHttpClient(url);
  const call: Call = async (tool, args, headers = {}) => (await client.call(tool, args, { headers })).body;
  return { open: folders[0], closed: folders[1], call };
}

const FOLDER: Fault = {
  id: 'X-client-folder',
  what: 'a client over HTTP names folders outside of `workspace.clientFolders`: another one, /proc/self, the root',
  holds: 'refused with the config key, and nothing of them is read or run; the open folder works',
  async run(scene) {
    const { open: good, closed, call } = await open(scene, { enabledWorkflows: ['files', 'process'] });
    const read = (folder: string) => call('file_read', { path: 'notes.txt' }, cwd(folder));
    assert.match(await read(good), /nothing/);
    for (const folder of [closed, path.join(good, '..', 'closed'), '/proc/self', '/']) {
      assert.match(await read(folder), REFUSED);
      const started = await call('process_start', { command: process.execPath, args: ['-e', ''] }, cwd(folder));
      assert.match(started, REFUSED);
    }
  },
};

const REPOSITORY: Fault = {
  id: 'X-client-repository',
  what: 'a client with a token names a repository outside of `workspace.clientFolders` for its checkpoints',
  holds: 'refused, no project is made, and no uncommitted text of the repository is told',
  async run(scene) {
    const place = await open(scene, {
      server: { tokens: [AGENT.entry] },
      enabledWorkflows: ['checkpoint'],
      workflows: { checkpoint: { git: 'diffs', debounceMs: 0 } },
    });
    const call: Call = (tool, args, headers) => place.call(tool, args, { ...AGENT.headers, ...headers });
    const answers = [
      await call('save_checkpoint', bundle('a'), cwd(place.closed)),
      await call('get_project_id', { cwd: place.closed }),
    ];
    for (const answer of answers) {
      assert.match(answer, REFUSED);
      assertThat('nothing of the repository is told', !answer.includes(SECRET));
    }
    assertThat('no project is made', !(await call('list_projects', {})).includes('closed'));
    assert.match(await call('save_checkpoint', bundle('b'), cwd(place.open)), /saved/);
  },
};

const PROJECTS: Fault = {
  id: 'X-token-projects',
  what: "a token with `projects: ['acme-*']` asks for a checkpoint of another project, and tries to write one",
  holds: 'it finds and changes nothing of it; its own projects work, and a token without the rule sees all',
  async run(scene) {
    const place = await open(scene, {
      server: { tokens: [AGENT.entry, ACME.entry] },
      enabledWorkflows: ['checkpoint'],
      workflows: { checkpoint: { debounceMs: 0 } },
    });
    const save = (plan: string, project: string, headers: Readonly<Record<string, string>>) =>
      place.call('save_checkpoint', { ...bundle(plan), project_id: project }, headers);
    const load = (project: string, { headers }: typeof AGENT) =>
      place.call('load_checkpoint', { project_id: project, fidelity: 'L3' }, headers);
    assert.match(await save(SECRET, 'globex-web', AGENT.headers), /saved/);
    assert.match(await save('own plan', 'acme-web', ACME.headers), /saved/);
    await save('forged plan', 'globex-web', ACME.headers);
    assertThat('the checkpoint is not told', !(await load('globex-web', ACME)).includes(SECRET));
    const list = await place.call('list_projects', {}, ACME.headers);
    assertThat('only its own project is listed', list.includes('acme-web') && !list.includes('globex'));
    assert.match(await load('acme-web', ACME), /own plan/);
    const kept = await load('globex-web', AGENT);
    assertThat('the checkpoint is as it was', kept.includes(SECRET) && !kept.includes('forged'));
  },
};

export const CLIENT_FOLDER_FAULTS: readonly Fault[] = [FOLDER, REPOSITORY, PROJECTS];
