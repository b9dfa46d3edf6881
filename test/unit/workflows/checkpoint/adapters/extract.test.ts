import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readClaudeSession } from '../../../../../src/workflows/checkpoint/adapters/extract/claude-session.ts';
import { isExtractedSummary } from '../../../../../src/workflows/checkpoint/adapters/extract/conversation.ts';
import { readCursorState } from '../../../../../src/workflows/checkpoint/adapters/extract/cursor-state.ts';
import { instructionsIn, kiroSpecsIn } from '../../../../../src/workflows/checkpoint/adapters/extract/project-files.ts';

const user = (content: unknown, more = {}) => ({ type: 'user', message: { role: 'user', content }, ...more });
const assistant = (...content: unknown[]) => ({ type: 'assistant', message: { role: 'assistant', content } });
const text = (words: string) => ({ type: 'text', text: words });
const session = (lines: readonly unknown[], keep = 20) =>
  readClaudeSession(
    lines.map((line) => JSON.stringify(line)),
    { keep },
  );

describe('a session of Claude Code', () => {
  test('is what was said, in turns, with the tools by name', () => {
    const conversation = session([
      { type: 'file-history-snapshot', snapshot: {} },
      user('Make it fast', { timestamp: '2026-11-28T10:00:00.000Z' }),
      assistant({ type: 'thinking', thinking: 'secret thoughts' }, text('I look.')),
      assistant({ type: 'tool_use', name: 'Edit', input: { file_path: 'src/a.ts', new_string: 'x' } }),
      user([{ type: 'tool_result', content: 'the whole file' }]),
      assistant(text('Done.')),
    ]);
    expect(conversation).toEqual({
      fidelity: 'L3',
      summary: 'Asked first: Make it fast\nLast answer: I look. [used Edit: src/a.ts] Done.',
      summary_through_message: 2,
      last_n_turns: [
        { role: 'user', content: 'Make it fast', at: '2026-11-28T10:00:00.000Z' },
        { role: 'assistant', content: 'I look.\n\n[used Edit: src/a.ts]\n\nDone.' },
      ],
    });
  });

  test('has the summary that Claude Code itself wrote when it compacted', () => {
    const conversation = session([
      user('before'),
      user('We have rewritten the parser.', { isCompactSummary: true }),
      user('go on'),
    ]);
    expect(conversation?.summary).toBe('We have rewritten the parser.');
    expect(isExtractedSummary(conversation?.summary)).toBe(false);
  });

  test('is without commands, side tasks and notes of the program', () => {
    const conversation = session([
      user('<command-name>/clear</command-name>'),
      user('<local-command-stdout>…</local-command-stdout>'),
      user('not for the model', { isMeta: true }),
      user('of a sub-agent', { isSidechain: true }),
      user([text('<ide_opened_file>src/a.ts</ide_opened_file>'), text('real')]),
    ]);
    expect(conversation?.last_n_turns).toEqual([{ role: 'user', content: 'real' }]);
  });

  test('keeps the last turns only, none longer than there is room for', () => {
    const lines = Array.from({ length: 200 }, (_, index) => [user(`ask ${index}`), assistant(text('a'.repeat(9_000)))]);
    const conversation = session(lines.flat(), 50);
    const turns = conversation!.last_n_turns;
    expect(conversation?.summary_through_message).toBe(400);
    expect(turns.at(-2)?.content).toBe('ask 199');
    expect(turns.length).toBeLessThanOrEqual(50);
    expect(JSON.stringify(turns).length).toBeLessThan(80_000);
  });

  test('is nothing where nothing was said', () => {
    expect(session([])).toBeUndefined();
    expect(readClaudeSession(['', 'no json', '[]', 'null', '{"type":"user"}'], { keep: 3 })).toBeUndefined();
  });

  test('can be anything without harm', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.json(), fc.string())), fc.nat(10), (lines, keep) => {
        readClaudeSession(lines, { keep });
      }),
    );
  });
});

describe('the state of Cursor', () => {
  const composers = {
    allComposers: [
      { composerId: 'old', lastUpdatedAt: 1 },
      { composerId: 'new', lastUpdatedAt: 2 },
      { composerId: 'empty', lastUpdatedAt: 3 },
    ],
  };
  const values: Readonly<Record<string, unknown>> = {
    'composer.composerData': composers,
    'composerData:old': { conversation: [{ type: 1, text: 'old question' }] },
    'composerData:new': { fullConversationHeadersOnly: [{ bubbleId: 'b1' }, { bubbleId: 'b2' }, { bubbleId: 'gone' }] },
    'bubbleId:new:b1': { type: 1, text: 'Add a test' },
    'bubbleId:new:b2': { type: 2, text: 'Added.' },
  };
  const read = (_table: string, key: string) => (key in values ? JSON.stringify(values[key]) : undefined);

  test('gives the newest conversation in which something was said', () => {
    expect(readCursorState({ workspace: read, global: read }, 10)).toMatchObject({
      fidelity: 'L2',
      last_n_turns: [
        { role: 'user', content: 'Add a test' },
        { role: 'assistant', content: 'Added.' },
      ],
    });
  });

  test('gives nothing where it is not as we know it', () => {
    expect(readCursorState({ workspace: () => undefined, global: read }, 10)).toBeUndefined();
    expect(readCursorState({ workspace: () => '{"allComposers": 5}', global: read }, 10)).toBeUndefined();
    expect(readCursorState({ workspace: () => 'no json', global: read }, 10)).toBeUndefined();
  });
});

describe('files of a project', () => {
  test('become instructions, without front matter and what we wrote ourselves', () => {
    const files = [
      { path: 'AGENTS.md', text: 'Use tabs.\n\n<!-- viaduct:begin agents=codex -->\nours\n<!-- viaduct:end -->\n' },
      { path: '.kiro/steering/tech.md', text: '---\ninclusion: always\n---\n\nTypeScript.\n' },
      {
        path: '.kiro/steering/viaduct.md',
        text: '---\ninclusion: always\n---\n\n<!-- viaduct:begin agents=kiro -->\nx\n<!-- viaduct:end -->\n',
      },
      { path: 'README.md', text: 'no rule' },
    ];
    expect(instructionsIn(files).map(({ id, content }) => [id, content])).toEqual([
      ['file:AGENTS.md', 'Use tabs.'],
      ['file:.kiro/steering/tech.md', 'TypeScript.'],
    ]);
  });

  test('become specs, one for each folder of Kiro', () => {
    const files = [
      { path: '.kiro/specs/login/design.md', text: '# Login' },
      { path: '.kiro/specs/login/tasks.md', text: '- [x] 1. Form' },
      { path: '.kiro/specs/login/notes.md', text: 'no part of it' },
      { path: '.kiro/specs/search/requirements.md', text: 'fast' },
    ];
    expect(kiroSpecsIn(files)).toEqual([
      {
        id: 'kiro:login',
        title: 'login',
        source_path: '.kiro/specs/login',
        design_md: '# Login',
        tasks_md: '- [x] 1. Form',
      },
      { id: 'kiro:search', title: 'search', source_path: '.kiro/specs/search', requirements_md: 'fast' },
    ]);
  });
});
