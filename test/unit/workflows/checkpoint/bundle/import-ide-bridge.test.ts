import { describe, expect, test } from 'vitest';
import { newDecision } from '../../../../../src/workflows/checkpoint/bundle/addition.ts';
import { appendItem, saveInto } from '../../../../../src/workflows/checkpoint/bundle/change.ts';
import { importIdeBridge } from '../../../../../src/workflows/checkpoint/bundle/import-ide-bridge.ts';
import { STAMP } from './bundles.ts';

/** As ide-bridge 0.1 writes it: every field, most of them empty. */
const BUNDLE = {
  pcb_version: '0.1',
  bundle_id: 'e92c4497-c7d5-4cc4-99fc-3bad51a4d957',
  updated_at: '2026-04-17T10:00:00.000Z',
  last_source_ide: 'cursor',
  user_id: null,
  project: { id: 'acme', resolved_from: 'explicit', root_path_fingerprint: '' },
  instructions: [],
  memories: [],
  plan: { summary: 'Refactor auth', current_step: 's1', steps: [{ id: 's1', text: 'Do it', status: 'in_progress' }] },
  todos: [{ id: 't_1', text: 'Write it', status: 'pending' }],
  decisions: [{ id: 'd_1', at: '2026-04-17T10:00:00Z', text: 'Use JWT' }],
  specs: [],
  conversation: { fidelity: 'L0', summary: 'Goal: Refactor auth.', summary_through_message: 0, last_n_turns: [] },
  workspace: { open_files: [], active_file: null, cursor: null },
  attachments: [],
  capabilities_required: [],
  last_source_capabilities: [],
  metadata: { note: 'kept' },
};

describe('a bundle of ide-bridge', () => {
  test('becomes a patch without what is empty', () => {
    expect(importIdeBridge(BUNDLE, 'folder')).toEqual({
      projectId: 'acme',
      sourceIde: 'cursor',
      updatedAt: '2026-04-17T10:00:00.000Z',
      patch: {
        plan: BUNDLE.plan,
        todos: BUNDLE.todos,
        decisions: BUNDLE.decisions,
        project: {},
        conversation: { fidelity: 'L0', summary: 'Goal: Refactor auth.', summary_through_message: 0 },
        workspace: {},
        metadata: {
          note: 'kept',
          imported: {
            from: 'ide-bridge',
            bundle_id: BUNDLE.bundle_id,
            updated_at: BUNDLE.updated_at,
            pcb_version: '0.1',
          },
        },
      },
      leftOut: [],
    });
  });

  test('goes on with the next number', () => {
    const { bundle } = saveInto(undefined, importIdeBridge(BUNDLE, 'folder').patch, STAMP);
    expect(bundle).toMatchObject({ bundle_id: 'bnd_1', todos: BUNDLE.todos });
    expect(bundle).not.toHaveProperty('workspace');
    expect(appendItem(bundle, newDecision({ text: 'x' }), STAMP).outcome).toEqual({ id: 'd2' });
  });

  test('that ide-bridge itself refuses to load is taken over', () => {
    const todos = [{ id: 't1', text: 'a', status: 'open' }];
    const decisions = [{ id: 'd1', text: 'no time' }];
    expect(importIdeBridge({ ...BUNDLE, todos, decisions }, 'folder')).toMatchObject({
      patch: { todos, decisions },
      leftOut: [],
    });
  });

  test('with broken parts is taken over without them, and they are named', () => {
    const { patch, leftOut } = importIdeBridge(
      {
        todos: [{ text: 'no id' }, { id: 't_1', text: 'a' }, { id: 't_1', text: 'b' }, { id: 't_3' }, 'text'],
        workspace: { open_files: 'a.ts', active_file: 'a.ts' },
        plan: 'not a plan',
        memories: 7,
      },
      'folder',
    );
    expect(patch).toMatchObject({
      todos: [
        { id: 't_2', text: 'no id' },
        { id: 't_1', text: 'a' },
        { id: 't_4', text: 'b' },
      ],
      workspace: { active_file: 'a.ts' },
    });
    expect(Object.keys(patch)).toEqual(expect.not.arrayContaining(['plan', 'memories']));
    expect(leftOut.map((line) => line.split(':')[0]!).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'memories',
      'todos.3',
      'todos.4',
      'workspace.open_files',
    ]);
  });

  test('that names no project is the one of its folder', () => {
    expect(importIdeBridge({}, 'folder')).toMatchObject({
      projectId: 'folder',
      sourceIde: 'unknown',
      updatedAt: undefined,
    });
  });

  test.each([[[]], ['x'], [null]])('%j is none', (value) => {
    expect(() => importIdeBridge(value, 'folder')).toThrow('bundle.json: is no JSON object');
  });
});
