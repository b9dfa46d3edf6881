import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainValue, readJsonDocument } from '../../../../../src/agents/files/json-document.ts';
import { withoutEmptyAt } from '../../../../../src/agents/files/plain-edit.ts';
import { addBlock, removeBlock } from '../../../../../src/workflows/checkpoint/adapters/files/managed-block.ts';
import { addHooks, removeHooks } from '../../../../../src/workflows/checkpoint/adapters/priming/claude-hooks.ts';
import { instructionsFor } from '../../../../../src/workflows/checkpoint/adapters/priming/instructions.ts';
import {
  byteOrderMark,
  EDIT_RUNS,
  foreignEdits,
  freshName,
  hasLineEnds,
  lineEnd,
  placeOf,
} from '../../../../support/foreign/edits.ts';
import { editJson, JSON_EDITS, jsonComments } from '../../../../support/foreign/json.ts';

const OURS = { header: '', body: instructionsFor };
const edits = foreignEdits('paragraph', 'line', 'empty line');

/** A Markdown text after edits of another program, also in our block. */
function editMarkdown(text: string, made: readonly { where: number; kind: string }[], eol: string): string {
  return made.reduce((result, { where, kind }) => {
    const lines = result.split(eol);
    const at = placeOf([...lines.keys()], { where, kind })!;
    const line = `- ${freshName()}\t[${kind}]  `;
    lines.splice(at, 0, ...(kind === 'line' ? [line] : kind === 'paragraph' ? ['', line, ''] : ['']));
    return lines.join(eol);
  }, text);
}

/** The lines of others, in their order. */
function foreignLines(text: string): string[] {
  const all = ['codex', 'zed'];
  const own = [['codex'], ['zed'], all].flatMap((agents) => instructionsFor(agents).split('\n'));
  const isOwn = new Set(own);
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !isOwn.has(line) && !line.includes('<!-- viaduct:'));
}

test('what others write before, in and behind our block in Markdown stays, whatever we do with the block', () => {
  const markdown = fc.constantFrom('', '# Mine', '# Mine\n\nUse tabs.\n', 'one\n\n\n', '<!-- viaduct:end -->\n');
  const property = fc.property(
    markdown,
    lineEnd,
    byteOrderMark,
    fc.array(edits, { minLength: 5, maxLength: 5 }),
    (start, ending, mark, made) => {
      // A file without line breaks gets LF.
      const eol = start.includes('\n') ? ending : '\n';
      let text = `${mark}${start}`.replaceAll('\n', eol);
      const steps: ((old: string) => string | undefined)[] = [
        (old) => addBlock(old, 'codex', OURS),
        (old) => addBlock(old, 'zed', OURS),
        (old) => addBlock(old, 'codex', OURS),
        (old) => removeBlock(old, 'codex', OURS),
        (old) => removeBlock(old, 'zed', OURS),
      ];
      for (const [index, step] of steps.entries()) {
        const old = editMarkdown(text, made[index]!, eol);
        text = step(old) ?? '';
        expect(foreignLines(text.replace('\uFEFF', ''))).toEqual(foreignLines(old.replace('\uFEFF', '')));
        expect(hasLineEnds(text, eol)).toBe(true);
        if (text !== '') expect(text.startsWith('\uFEFF')).toBe(mark !== '' && old.startsWith('\uFEFF'));
      }
      expect(text).not.toContain('viaduct:begin');
    },
  );
  fc.assert(property, { numRuns: EDIT_RUNS });
}, 3_600_000);

const EVENTS = ['SessionStart', 'Stop', 'PreCompact'];
const PATHS = [...EVENTS.map((event) => ['hooks', event]), ['hooks']];
type Settings = { hooks?: Record<string, unknown> };
const value = (text: string): Settings => plainValue(readJsonDocument(text)) as Settings;

const isOurs = (hook: unknown): boolean =>
  String((hook as { command?: unknown } | null)?.command).includes('viaduct checkpoint hook');

/** The settings without our hooks, and without the groups that have nothing else. */
function rest(text: string): unknown {
  const settings = value(text);
  const hooks = Object.entries(settings.hooks ?? {}).map(([event, groups]) => [event, withoutOurs(groups)]);
  const whole = settings.hooks === undefined ? settings : { ...settings, hooks: Object.fromEntries(hooks) };
  return PATHS.reduce((result, path) => withoutEmptyAt(result, path), whole as unknown);
}

function withoutOurs(groups: unknown): unknown {
  if (!Array.isArray(groups)) return groups;
  return groups.flatMap((group: unknown) => {
    const { hooks, ...others } = (group ?? {}) as { hooks?: unknown };
    if (!Array.isArray(hooks)) return [group];
    const left = hooks.filter((hook) => !isOurs(hook));
    return left.length === 0 && hooks.length === 1 && Object.keys(others).length === 0
      ? []
      : [{ ...others, hooks: left }];
  });
}

test('what others write before, in and behind our hooks stays, whatever we do with the hooks', () => {
  const settings = fc.constantFrom<Settings>(
    {},
    { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'lint' }] }] } },
    { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [] }], SessionStart: [] } },
  );
  const changes = foreignEdits(...JSON_EDITS);
  const property = fc.property(
    settings,
    fc.constantFrom(0, 2, '\t'),
    lineEnd,
    byteOrderMark,
    fc.tuple(changes, changes, changes),
    (json, indent, eol, mark, made) => {
      let text = `${mark}${JSON.stringify({ theme: 'x', ...json }, null, indent)}\n`.replaceAll('\n', eol);
      const steps: ((old: string) => string | undefined)[] = [
        (old) => addHooks(old, (does) => `viaduct checkpoint hook ${does}`),
        (old) => addHooks(old, (does) => `/usr/bin/viaduct checkpoint hook ${does} --config '/x y'`),
        (old) => removeHooks(old),
      ];
      for (const [index, step] of steps.entries()) {
        const old = editJson(text, made[index]!, eol);
        text = step(old) ?? '{}';
        expect(rest(text)).toEqual(rest(old));
        expect(jsonComments(text)).toEqual(jsonComments(old));
        const count = Object.values(value(text).hooks ?? {}).filter((groups) =>
          JSON.stringify(groups).includes('viaduct'),
        );
        expect(count).toHaveLength(index < 2 ? EVENTS.length : 0);
        expect(hasLineEnds(text, eol)).toBe(true);
        if (text !== '{}') expect(text.startsWith('\uFEFF')).toBe(mark !== '');
      }
    },
  );
  fc.assert(property, { numRuns: EDIT_RUNS });
}, 3_600_000);
