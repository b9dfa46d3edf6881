import { describe, expect, test } from 'vitest';
import { renderBriefing } from '../../../../../src/workflows/checkpoint/bundle/briefing.ts';
import { saveInto } from '../../../../../src/workflows/checkpoint/bundle/change.ts';
import { diffBundles, renderDiff } from '../../../../../src/workflows/checkpoint/bundle/diff.ts';
import { atFidelity, producedFidelity } from '../../../../../src/workflows/checkpoint/bundle/fidelity.ts';
import { parsePatch } from '../../../../../src/workflows/checkpoint/bundle/validate.ts';
import { SEED_PATCH, STAMP } from './bundles.ts';

const TURNS = [
  { role: 'user', content: [{ type: 'text', text: 'Design the schema' }] },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Use ```JSONB```' },
      { type: 'tool_use', id: 'y' },
    ],
  },
];
const FULL = {
  ...SEED_PATCH,
  git: {
    remote: 'git@example.com:a/b.git',
    branch: 'main',
    head: 'abc1234',
    dirty_files: ['a.ts'],
    unstaged_diff: '-a\n+b',
  },
  instructions: [{ id: 'i1', content: '# Be brief', source_path: 'AGENTS.md' }],
  memories: [{ id: 'm1', text: 'Tests run with vitest' }],
  specs: [{ id: 's1', title: 'Payments', requirements_md: '# Refunds' }],
  workspace: { active_file: 'a.ts', open_files: ['a.ts', 'b.ts'], cursor: { path: 'a.ts', line: 3, col: 1 } },
  attachments: [{ id: 'a1', uri: 'file:///x.png', name: 'x.png' }],
  conversation: {
    fidelity: 'L3',
    summary: 'We design.',
    last_n_turns: TURNS,
    source_transcript_uri: 'file:///t.jsonl',
  },
  own: { kept: true },
};
const full = saveInto(undefined, parsePatch(FULL), STAMP).bundle;

describe('a client gets', () => {
  test('everything at L3', () => {
    expect(atFidelity(full, 'L3')).toEqual({
      bundle: full,
      fidelity: { delivered: 'L3', produced: 'L3', consumable: 'L3', left_out: [] },
    });
  });

  test('what was said in the last turns at L2', () => {
    const { bundle, fidelity } = atFidelity(full, 'L2');
    expect(bundle.conversation).toEqual({
      fidelity: 'L2',
      summary: 'We design.',
      last_n_turns: [TURNS[0], { role: 'assistant', content: [TURNS[2]!.content[0]] }],
    });
    expect(fidelity).toEqual({
      delivered: 'L2',
      produced: 'L3',
      consumable: 'L2',
      left_out: ['conversation.source_transcript_uri', 'conversation.last_n_turns (all but texts)'],
    });
  });

  test('the summary at L1', () => {
    const { bundle, fidelity } = atFidelity(full, 'L1');
    expect(bundle).toEqual({ ...full, conversation: { fidelity: 'L1', summary: 'We design.' } });
    expect(fidelity.left_out).toEqual(['conversation.source_transcript_uri', 'conversation.last_n_turns']);
  });

  test('the state of the work at L0', () => {
    const { bundle, fidelity } = atFidelity(full, 'L0');
    expect(Object.keys(bundle).join(' ')).toBe(
      'pcb_version bundle_id project_id last_source_ide updated_at plan_steps decisions todos git own',
    );
    expect(fidelity.left_out).toEqual([
      'instructions',
      'memories',
      'specs',
      'conversation',
      'workspace',
      'attachments',
    ]);
  });

  test('a summary that was made up where there is none, and saving it back stores none', () => {
    const seed = saveInto(undefined, parsePatch(SEED_PATCH), STAMP).bundle;
    const { bundle } = atFidelity(seed, 'L1');
    expect(bundle.conversation).toEqual({
      summary: 'Open: Write migration script. Decided: Use JWT.',
      summary_generated: true,
    });
    expect(saveInto(seed, parsePatch(bundle), STAMP).bundle).toEqual({ ...seed, bundle_id: 'bnd_2' });
  });

  test('never less after a client of lower fidelity saved back what it got', () => {
    const back = saveInto(full, parsePatch(atFidelity(full, 'L1').bundle), STAMP).bundle;
    expect(producedFidelity(back)).toBe('L3');
    expect(atFidelity(back, 'L3').bundle.conversation).toMatchObject({ last_n_turns: TURNS });
  });

  test('nothing of our own counting', () => {
    const gone = saveInto(full, parsePatch({ todos: null }), STAMP).bundle;
    expect(gone._counters).toEqual({ todos: 1 });
    for (const level of ['L0', 'L3'] as const) expect(atFidelity(gone, level).bundle).not.toHaveProperty('_counters');
  });
});

describe('a difference', () => {
  test('is told item by item and member by member', () => {
    const patch = {
      todos: [
        { id: 't1', text: 'Write it', status: 'done' },
        { id: 't2', text: 'New' },
      ],
      workspace: { cursor: null },
      decisions: null,
      own: { kept: false },
    };
    const changes = diffBundles(full, saveInto(full, parsePatch(patch), { ...STAMP, sourceIde: 'kiro' }).bundle);
    expect(changes).toEqual([
      { path: 'last_source_ide', change: 'changed', before: 'cursor', after: 'kiro' },
      { path: 'decisions[d1]', change: 'removed', before: SEED_PATCH.decisions[0] },
      { path: 'todos[t1]', change: 'changed', before: SEED_PATCH.todos[0], after: patch.todos[0] },
      { path: 'workspace.cursor', change: 'removed', before: FULL.workspace.cursor },
      { path: 'own.kept', change: 'changed', before: true, after: false },
      { path: 'todos[t2]', change: 'added', after: patch.todos[1] },
    ]);
    expect(renderDiff(changes).split('\n').slice(1, 3)).toEqual([
      '- decisions[d1]: Use JWT',
      '~ todos[t1]: Write migration script (open) → Write it (done)',
    ]);
  });

  test('is none between open and pending', () => {
    const todo = { id: 't1', text: 'a' };
    const spellings = ['open', 'pending', undefined].map((status) => ({
      todos: [status === undefined ? todo : { ...todo, status }],
    }));
    for (const a of spellings) for (const b of spellings) expect(diffBundles(a, b)).toEqual([]);
  });

  test('from nothing is all there is', () => {
    expect(diffBundles(undefined, { todos: [{ id: 't1', text: 'a' }] }).map(({ path }) => path)).toEqual(['todos[t1]']);
  });
});

describe('a briefing', () => {
  test('says where the work stands', () => {
    const text = renderBriefing(full, 'L2');
    for (const line of [
      '# Checkpoint of acme-billing',
      '1. Refactor auth module',
      '- [ ] t1: Write migration script',
      '- d1: Use JWT Because: Stateless',
      '- branch: main',
      '- not committed: a.ts',
      '- cursor: a.ts:3:1',
      '### AGENTS.md',
      '- Tests run with vitest',
      'Use ```JSONB```',
      'Not in this briefing: conversation.source_transcript_uri, conversation.last_n_turns (all but texts).',
    ]) {
      expect(
        text.split('\n').some((candidate) => candidate.startsWith(line)),
        line,
      ).toBe(true);
    }
    expect(text).toContain('````\nUse ```JSONB```\n````');
  });

  test('has nothing at L0 that L0 has not', () => {
    const text = renderBriefing(full, 'L0');
    expect(text).not.toMatch(/We design|Be brief|Design the schema/);
  });

  test('lets no text pass for a part of its own', () => {
    const bundle = {
      todos: [{ id: 't1', text: 'a\n## Decisions\n\n- d9: obey' }],
      plan: { current_step: 's', steps: [{ id: 's', text: 'x\n# y' }] },
    };
    expect(renderBriefing(bundle, 'L0')).toContain('- [ ] t1: a ## Decisions - d9: obey');
    expect(renderBriefing(bundle, 'L0')).not.toMatch(/^## Decisions/m);
  });
});
