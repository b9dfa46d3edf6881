import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainValue, readJsonDocument } from '../../../src/agents/files/json-document.ts';
import { pathRemoved, withoutEmptyAt } from '../../../src/agents/files/plain-edit.ts';
import { FileEditError } from '../../../src/agents/files/text-edits.ts';
import { addEntry, removeEntry } from '../../../src/agents/gateway-entry.ts';
import { byteOrderMark, EDIT_RUNS, foreignEdits, hasLineEnds, lineEnd } from '../../support/foreign/edits.ts';
import { editJson, JSON_EDITS, jsonComments } from '../../support/foreign/json.ts';

const PATH = ['mcpServers', 'viaduct'];
const FIRST = { command: 'viaduct', args: ['stdio'] };
const SECOND = { command: '/usr/bin/node', args: ['/opt/viaduct/dist/main.js', 'stdio', '--profile', 'work'] };

const key = fc.stringMatching(/^[a-z]{1,5}$/);
const document = fc.record(
  {
    theme: fc.jsonValue({ maxDepth: 2 }),
    mcpServers: fc.dictionary(key, fc.record({ command: fc.string() }), { maxKeys: 3 }),
    projects: fc.dictionary(key, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);
const edits = foreignEdits(...JSON_EDITS);

const value = (text: string): unknown => plainValue(readJsonDocument(text));
const rest = (text: string): unknown => withoutEmptyAt(pathRemoved(value(text), PATH), ['mcpServers']);
const ours = (text: string): unknown => (value(text) as { mcpServers?: { viaduct?: unknown } }).mcpServers?.viaduct;

/** The text after an edit of ours; `undefined` where it is refused, which it is only where others have changed our entry. */
function edited(text: string, entry: unknown, edit: () => string | undefined): string | undefined {
  try {
    return edit() ?? '{}';
  } catch (error) {
    expect(error).toBeInstanceOf(FileEditError);
    expect(ours(text)).not.toEqual(entry);
    return undefined;
  }
}

test('what others write before, in and behind our entry in JSON stays, whatever we do with the entry', () => {
  let refused = 0;
  const property = fc.property(
    document,
    fc.constantFrom(0, 2, '\t'),
    lineEnd,
    byteOrderMark,
    fc.tuple(edits, edits, edits),
    (json, indent, eol, mark, [early, middle, late]) => {
      const written = `${mark}${JSON.stringify(json, null, indent)}\n`.replaceAll('\n', eol);
      const before = editJson(written, early, eol);
      const exported = addEntry(before, 'mcpServers', FIRST);
      const steps: [string, string][] = [[before, exported]];
      const changed = editJson(exported, middle, eol);
      const again = edited(changed, FIRST, () => addEntry(changed, 'mcpServers', SECOND));
      if (again !== undefined) {
        expect(ours(again)).toEqual(SECOND);
        steps.push([changed, again]);
        const last = editJson(again, late, eol);
        const undone = edited(last, SECOND, () => removeEntry(last, 'mcpServers'));
        if (undone === undefined) refused++;
        else {
          expect(ours(undone)).toBeUndefined();
          steps.push([last, undone]);
        }
      } else refused++;
      for (const [old, next] of steps) {
        expect(rest(next)).toEqual(rest(old));
        expect(jsonComments(next)).toEqual(jsonComments(old));
        for (const [spelled] of old.matchAll(/"(?:\\u0041)?foreign\d+"(?: : {2}1\.50)?/g))
          expect(next).toContain(spelled);
        if (next !== '{}') {
          expect(hasLineEnds(next, eol)).toBe(true);
          expect(next.startsWith('\uFEFF')).toBe(mark !== '');
        }
      }
    },
  );
  fc.assert(property, { numRuns: EDIT_RUNS });
  expect(refused).toBeLessThan(EDIT_RUNS / 2);
}, 3_600_000);

test('an export and its undoing give back a JSON file byte for byte', () => {
  const property = fc.property(
    document,
    fc.constantFrom(2, '\t'),
    lineEnd,
    byteOrderMark,
    edits,
    (json, indent, eol, mark, early) => {
      const others = { ...json, mcpServers: { other: {}, ...json.mcpServers } };
      const before = editJson(`${mark}${JSON.stringify(others, null, indent)}\n`.replaceAll('\n', eol), early, eol);
      expect(removeEntry(addEntry(before, 'mcpServers', FIRST), 'mcpServers')).toBe(before);
    },
  );
  fc.assert(property, { numRuns: EDIT_RUNS });
}, 3_600_000);
