import { findElement } from '../elements/find-element.ts';
import { browserFailed } from '../failure.ts';
import type { Page } from '../page/page.ts';
import { difference } from './difference.ts';
import { linesOf } from './lines.ts';
import type { ReadingLimits } from './page-item.ts';
import { quote } from './quote.ts';
import { readPage, type WholePage } from './read-page.ts';
import type { Line } from './shown-item.ts';
import { type Body, type Snapshot, snapshotText, UNTRUSTED } from './snapshot-text.ts';

export interface SnapshotOptions {
  /** CSS selector or id of an element: only the first match and what it contains. */
  readonly selector?: string | undefined;
  /** Only what has changed since the last snapshot of the page. */
  readonly difference?: boolean | undefined;
  /** Limit for the whole text. */
  readonly maxCharacters: number;
}

/** The last snapshot of a page. */
interface Last {
  readonly selector: string | undefined;
  readonly documentId: string;
  readonly lines: readonly Line[];
}

const LIMITS = { elements: 60_000, characters: 1_000_000, text: 2_000, attributes: 8_000_000 };
/** The browser takes as long to tell who an element is as to read ten. */
const MAX_ACTED = 5_000;
/** A line of something that can be acted upon is hardly shorter. */
const LINE_CHARACTERS = 20;
const WHOLE = { name: 200, text: 300, options: 8 };
/** Someone who asks for a part wants to read it. */
const PART = { name: 500, text: 2_000, options: 200 };
/** Lines that are kept to be compared with. */
const MAX_KEPT = 30_000;
const lastOf = new WeakMap<Page, Last>();

/**
 * Returns what a page shows as compact text: a line for each thing, with its role, its id (e12) if it can be acted upon, and its
 * name. See docs/WEBVIEW.md for the form.
 * @throws GatewayError if nothing matches the selector, or the page cannot be read; the reason of `signal`
 */
export async function snapshot(page: Page, options: SnapshotOptions, signal: AbortSignal): Promise<Snapshot> {
  page.requireOpen();
  const { selector } = options;
  const root = selector === undefined ? undefined : await findElement(page, selector, signal);
  if (selector !== undefined && root === undefined)
    throw browserFailed(`Nothing matches ${quote(selector, 200)}: use webview_snapshot without a selector`);
  const whole = await readPage(page, { root, limits: limitsFor(options), signal }).finally(
    () => root && page.scripts.release(root),
  );
  const lines = linesOf(whole.items, selector === undefined ? WHOLE : PART);
  const body = options.difference ? changesSince(lastOf.get(page), { whole, lines, selector }) : allLines(lines);
  lastOf.set(page, { selector, documentId: whole.documentId, lines: lines.slice(0, MAX_KEPT) });
  return snapshotText(whole, body, options.maxCharacters);
}

/** Elements that would be cut off get no ids; a change can be anywhere. */
function limitsFor({ difference, maxCharacters }: SnapshotOptions): ReadingLimits {
  const shown = Math.ceil(maxCharacters / LINE_CHARACTERS);
  return { ...LIMITS, acted: difference ? MAX_ACTED : Math.min(shown, MAX_ACTED) };
}

function allLines(lines: readonly Line[], intro = UNTRUSTED): Body {
  return { intro, lines: lines.map(({ depth, text }) => ' '.repeat(depth) + text) };
}

function changesSince(
  last: Last | undefined,
  { whole, lines, selector }: { whole: WholePage; lines: readonly Line[]; selector: string | undefined },
): Body {
  if (last === undefined)
    return allLines(lines, `there is no earlier snapshot, so this is the whole page: ${UNTRUSTED}`);
  if (last.documentId !== whole.documentId) return allLines(lines, `a new page, so all of it: ${UNTRUSTED}`);
  if (last.selector !== selector)
    return allLines(lines, `the last snapshot had another selector, so all of it: ${UNTRUSTED}`);
  const changes = difference(last.lines, lines.slice(0, MAX_KEPT));
  if (changes.length === 0) return { intro: 'nothing has changed since the last snapshot', lines: [] };
  const all = allLines(lines, `most of it has changed, so all of it: ${UNTRUSTED}`);
  if (sizeOf(changes) > sizeOf(all.lines)) return all;
  return { intro: `changes since the last snapshot (+ new, - gone, ~ now): ${UNTRUSTED}`, lines: changes };
}

const sizeOf = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length, 0);
