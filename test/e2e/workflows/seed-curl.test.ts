import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { openServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { exchange } from '../../support/http/http-client.ts';
import { shared } from '../../support/shared.ts';

/** A gateway whose workspace is a project with the id that the examples of ide-bridge's pages use. */
async function serve(workspace: (project: string) => object): Promise<{ url: string; project: string }> {
  const project = path.join(realpathSync(temporaryFolder()), 'acme-billing');
  mkdirSync(project);
  writeFileSync(path.join(project, '.ide-bridge.yaml'), 'project_id: acme-billing\n');
  const config = writeConfig({ enabledWorkflows: ['checkpoint'], workspace: workspace(project) });
  return { url: (await openServe(config)).url, project };
}

/** Sends what curl sends with `-H 'Content-Type: application/json' -d …`, and gives the whole answer. */
async function curl(url: string, id: number, name: string, args: object) {
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
  const answer = await exchange(url, { headers: { 'content-type': 'application/json', accept: '*/*' }, body });
  return { status: answer.status, json: JSON.parse(answer.body) };
}

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe("requests as ide-bridge's pages show them, without a session", () => {
  const gateway = shared(() => serve((project) => ({ root: project })));

  async function call(id: number, name: string, args: object): Promise<unknown> {
    const { url } = await gateway();
    const { status, json } = await curl(url, id, name, args);
    expect([status, json.jsonrpc, json.id, json.result?.isError]).toEqual([200, '2.0', id, undefined]);
    expect(JSON.parse(json.result.content[0].text)).toEqual(json.result.structuredContent);
    return json.result.structuredContent;
  }

  test('save, load, append, list and tell the id of the project', async () => {
    const { project } = await gateway();
    const todo = { id: 't1', text: 'Write a script for the move', status: 'open' };
    const patch = {
      plan_steps: ['First', 'Second'],
      todos: [todo],
      decisions: [{ id: 'd1', text: 'A', rationale: 'B' }],
    };
    expect(await call(1, 'save_checkpoint', { source_ide: 'cursor', bundle_patch: patch })).toEqual({
      saved: true,
      bundle_id: expect.any(String),
      updated_at: ISO,
    });
    const loaded = await call(2, 'load_checkpoint', { project_id: 'acme-billing' });
    expect(loaded).toMatchObject({ bundle: { project_id: 'acme-billing', last_source_ide: 'cursor', todos: [todo] } });
    expect(await call(3, 'append_decision', { text: 'C', rationale: 'D' })).toEqual({ ok: true, decision_id: 'd2' });
    expect(await call(4, 'append_todo', { text: 'E', status: 'open' })).toEqual({ ok: true, todo_id: 't2' });
    expect(await call(5, 'list_projects', {})).toEqual({
      projects: [{ project_id: 'acme-billing', last_source_ide: 'cursor', updated_at: ISO }],
    });
    expect(await call(6, 'get_project_id', { cwd: project })).toMatchObject({
      project_id: 'acme-billing',
      resolved_from: 'explicit',
    });
  });

  test('an argument that is missing is named, with the code of the pages', async () => {
    const { url } = await gateway();
    const { json } = await curl(url, 1, 'save_checkpoint', { bundle_patch: {} });
    expect(JSON.stringify(json)).toContain('source_ide');
  });
});

test.each([
  ['no workspace', () => ({})],
  ['several workspaces', (project: string) => ({ roots: { a: project, b: path.dirname(project) } })],
])('with %s a request must say which project it means', async (_what, workspace) => {
  const { url } = await serve(workspace);
  const { json } = await curl(url, 1, 'append_todo', { text: 'E' });
  expect(JSON.stringify(json)).toContain('missing project_id');
});

test('a request that names its folder is not taken for one from the workspace', async () => {
  const { url, project } = await serve((folder) => ({ root: folder, clientFolders: [path.dirname(folder)] }));
  const other = path.join(path.dirname(project), 'other');
  mkdirSync(other);
  writeFileSync(path.join(other, '.ide-bridge.yaml'), 'project_id: other\n');
  await curl(`${url}?cwd=${encodeURIComponent(other)}`, 1, 'append_todo', { text: 'E' });
  const { json } = await curl(url, 2, 'list_projects', {});
  expect(json.result.structuredContent.projects.map((one: any) => one.project_id)).toEqual(['other']);
});
