import { lineChanges } from './line-changes.ts';
import type { Line } from './shown-item.ts';

interface Change extends Line {
  readonly mark: ' ' | '+' | '-' | '~';
}

/**
 * Returns the lines that have changed between two snapshots: `+` new, `-` gone, `~` the new state of something with the same id.
 * Each group follows the line that it stands within, such as `in form "Login":`.
 */
export function difference(before: readonly Line[], after: readonly Line[]): readonly string[] {
  return told(withoutOldStates(changesOf(before, after)));
}

function changesOf(before: readonly Line[], after: readonly Line[]): readonly Change[] {
  const keyOf = ({ depth, text }: Line) => `${depth} ${text}`;
  let [atBefore, atAfter] = [0, 0];
  return lineChanges(before.map(keyOf), after.map(keyOf)).map(([mark]) => {
    const old = mark === '+' ? undefined : before[atBefore++];
    const line = mark === '-' ? old! : after[atAfter++]!;
    return { ...line, mark };
  });
}

/** Leaves out the old state of what has a new one nearby. */
function withoutOldStates(changes: readonly Change[]): readonly Change[] {
  const idsWith = (mark: '+' | '-') =>
    new Set(changes.flatMap((change) => (change.mark === mark && change.id !== undefined ? [change.id] : [])));
  const [gone, added] = [idsWith('-'), idsWith('+')];
  return changes
    .filter(({ mark, id }) => mark !== '-' || id === undefined || !added.has(id))
    .map((change) => (change.mark === '+' && gone.has(change.id ?? '') ? { ...change, mark: '~' } : change));
}

function told(changes: readonly Change[]): readonly string[] {
  const lines: string[] = [];
  /** The lines that the current one stands within. */
  const within: Change[] = [];
  let context: Change | undefined;
  for (const change of changes) {
    while ((within.at(-1)?.depth ?? -1) >= change.depth) within.pop();
    const parent = within.findLast(({ mark }) => mark === ' ');
    within.push(change);
    if (change.mark === ' ') continue;
    if (parent !== context) lines.push(parent === undefined ? 'in the page:' : `in ${parent.text}:`);
    context = parent;
    lines.push(`${change.mark}${' '.repeat(change.depth - (parent?.depth ?? -1))}${change.text}`);
  }
  return lines;
}
