import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pathRemoved, withoutEmptyAt } from '../../../src/agents/files/plain-edit.ts';
import { FileEditError } from '../../../src/agents/files/text-edits.ts';
import { readToml } from '../../../src/agents/files/toml-document.ts';
import { addEntry, removeEntry } from '../../../src/agents/gateway-entry.ts';
import { byteOrderMark, EDIT_RUNS, foreignEdits, hasLineEnds, lineEnd } from '../../support/foreign/edits.ts';
import { editToml, TOML_EDITS, tomlComments } from '../../support/foreign/toml.ts';

const FIRST = { command: 'viaduct', args: ['stdio'] };
const SECOND = { command: '/usr/bin/node', args: ['/opt/viaduct/dist/main.js', 'stdio', '--profile', 'work'] };

const STARTS = [
  '',
  'model = "x" # mine\n',
  '[mcp_servers.other]\ncommand = "other"\nargs = [\n  "a", # why\n]\n\n[mcp_servers.other.env]\nA = "b"\n',
  'list = [\n  1,\n  2,\n]\n\n[mcp_servers]\n\n[[profiles]]\nat = 1979-05-27T07:32:00Z\n',
  'no_line_end = true',
  // As older exports wrote it.
  'model = "x"\n\n# viaduct:begin\n[mcp_servers.viaduct]\ncommand = "viaduct"\nargs = ["stdio"]\n# viaduct:end\n',
];
const edits = foreignEdits(...TOML_EDITS);

const rest = (text: string): unknown =>
  withoutEmptyAt(pathRemoved(readToml(text), ['mcp_servers', 'viaduct']), ['mcp_servers']);
const ours = (text: string): unknown => (readToml(text).mcp_servers as { viaduct?: unknown } | undefined)?.viaduct;

/** The text after an edit of ours; `undefined` where it is refused, which it is only where others have changed our entry. */
function edited(text: string, entry: unknown, edit: () => string | undefined): string | undefined {
  try {
    return edit() ?? '';
  } catch (error) {
    expect(error).toBeInstanceOf(FileEditError);
    expect(ours(text)).not.toEqual(entry);
    return undefined;
  }
}

test('what others write before, in and behind our entry in TOML stays, whatever we do with the entry', () => {
  let refused = 0;
  const property = fc.property(
    fc.constantFrom(...STARTS),
    lineEnd,
    byteOrderMark,
    fc.tuple(edits, edits, edits),
    (start, ending, mark, [early, middle, late]) => {
      // A file without line breaks gets LF.
      const eol = start.includes('\n') ? ending : '\n';
      const before = editToml(`${mark}${start}`.replaceAll('\n', eol), early, eol);
      const steps: [string, string][] = [];
      const exported = edited(before, FIRST, () => addEntry(before, 'toml', FIRST));
      const changed = exported === undefined ? undefined : editToml(exported, middle, eol);
      const again = changed === undefined ? undefined : edited(changed, FIRST, () => addEntry(changed, 'toml', SECOND));
      const last = again === undefined ? undefined : editToml(again, late, eol);
      const undone = last === undefined ? undefined : edited(last, SECOND, () => removeEntry(last, 'toml'));
      if (exported !== undefined) steps.push([before, exported]);
      if (again !== undefined) steps.push([changed!, again]);
      if (undone === undefined) refused++;
      else {
        expect(ours(undone)).toBeUndefined();
        steps.push([last!, undone]);
      }
      for (const [old, next] of steps) {
        expect(rest(next)).toEqual(rest(old));
        expect(tomlComments(next)).toEqual(tomlComments(old));
        for (const [spelled] of old.matchAll(/foreign\d+ {2}= {2}1_000|command = 'foreign\d+'/g))
          expect(next).toContain(spelled);
        expect(hasLineEnds(next, eol)).toBe(true);
        if (next !== '') expect(next.startsWith('\uFEFF')).toBe(mark !== '');
      }
    },
  );
  fc.assert(property, { numRuns: EDIT_RUNS });
  expect(refused).toBeLessThan((EDIT_RUNS * 2) / 3);
}, 3_600_000);

test('an export and its undoing give back a TOML file byte for byte', () => {
  const property = fc.property(
    fc.constantFrom(...STARTS.slice(0, 4)),
    lineEnd,
    byteOrderMark,
    edits,
    (start, eol, mark, early) => {
      const before = editToml(
        `${mark}model = "y"\n${start.replace('model', 'other')}`.replaceAll('\n', eol),
        early,
        eol,
      );
      expect(removeEntry(addEntry(before, 'toml', FIRST), 'toml')).toBe(before);
    },
  );
  fc.assert(property, { numRuns: EDIT_RUNS });
}, 3_600_000);
