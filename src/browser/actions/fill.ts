import { escapeInvisible } from '../../core/text/clean-text.ts';
import { shownDocuments } from '../elements/shown-documents.ts';
import { withElement } from '../elements/with-element.ts';
import { browserFailed, isTimeout } from '../failure.ts';
import { deleteSelection, type FillAnswer, fillField } from '../injected/fill-field.ts';
import { beginTyping } from '../injected/typing.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { quotedText } from '../page/page-text.ts';
import { usePage } from '../page/use-page.ts';

export interface Field {
  /** A CSS selector, or the id of an element in a snapshot: a field or its label. */
  readonly target: string;
  /**
   * A boolean for a checkbox or radio button. For a list: the label or value of an option, or several of them. For a file input:
   * one path or several. Else the text.
   */
  readonly value: string | boolean | readonly string[];
}

export interface FillOptions {
  readonly signal: AbortSignal;
  /** Returns the absolute path of a file that a client may read. @throws GatewayError if it may not */
  readonly fileAt: (path: string) => Promise<string>;
}

/**
 * Fills fields one after the other; each one's value is replaced.
 * @throws GatewayError that names the field that cannot be filled, or not in the time of `signal`, and those that were filled before;
 *   another reason of `signal`
 */
export async function fill(page: Page, fields: readonly Field[], options: FillOptions): Promise<void> {
  const filled: string[] = [];
  const requireShown = shownDocuments(page, page.frames.main);
  for (const { target, value } of fields) {
    try {
      await usePage(page, () => fillOne(page, { target, value }, { ...options, requireShown }));
    } catch (error) {
      throw options.signal.aborted && !isTimeout(error) ? error : withProgress(error as Error, target, filled);
    }
    filled.push(target);
  }
}

function withProgress(error: Error, target: string, filled: readonly string[]): Error {
  const why = isTimeout(error) ? 'the page did not answer in time, so it may be filled in part' : error.message;
  const before = filled.length === 0 ? 'No field was filled' : `Filled before: ${filled.map(shown).join(', ')}`;
  const effect = filled.length === 0 && !isTimeout(error) ? 'none' : 'unknown';
  return browserFailed(`Field ${shown(target)}: ${why}. ${before}`, error, effect);
}

const shown = (target: string) => quotedText(target, 100);

async function fillOne(
  page: Page,
  { target, value }: Field,
  { requireShown, ...options }: FillOptions & { readonly requireShown: (notDone: string) => void },
): Promise<void> {
  const { signal } = options;
  requireShown('it was not filled');
  await withElement(page, target, signal, async (element) => {
    // It may have been found in the next page.
    requireShown('it was not filled');
    const argument = typeof value === 'object' ? [...value] : value;
    const answer = await page.scripts.call(element.frame, fillField, [element, argument], signal);
    await complete(page, element, value, answer, options);
  });
}

async function complete(
  page: Page,
  element: RemoteHandle,
  value: Field['value'],
  answer: FillAnswer,
  options: FillOptions,
): Promise<void> {
  if (answer.kind === 'refused') throw refused(answer.why);
  if (answer.kind === 'file') await setFiles(element, value, answer.isMultiple, options);
  if (answer.kind === 'text') await replaceText(page, element, String(value), options.signal);
}

/** Labels of the page's options are in it as JSON, which can hold ends of lines that only some readers know. */
const refused = (why: string) => browserFailed(`it ${escapeInvisible(why)}`);

async function replaceText(page: Page, element: RemoteHandle, text: string, signal: AbortSignal): Promise<void> {
  const requireShown = shownDocuments(page, element.frame);
  const answer = await page.scripts.call(element.frame, beginTyping, [element, true], signal);
  if (answer.kind === 'refused') throw refused(answer.why);
  requireShown('it was not filled');
  if (text === '') await page.scripts.call(element.frame, deleteSelection, [], signal);
  else await page.session.send('Input.insertText', { text: text.replaceAll('\r\n', '\n') }, signal);
}

async function setFiles(
  { frame, objectId }: RemoteHandle,
  value: Field['value'],
  isMultiple: boolean,
  { fileAt, signal }: FillOptions,
): Promise<void> {
  if (typeof value === 'boolean') throw browserFailed('it takes the path of a file, not true or false');
  const paths = typeof value === 'string' ? [value] : value;
  if (paths.length > 1 && !isMultiple) throw browserFailed('it takes one file only');
  const files: string[] = [];
  for (const path of paths) files.push(await fileAt(path));
  await frame.session.send('DOM.setFileInputFiles', { files, objectId }, signal);
}
