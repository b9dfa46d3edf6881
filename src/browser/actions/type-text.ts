import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { shownDocuments } from '../elements/shown-documents.ts';
import { withElement } from '../elements/with-element.ts';
import { browserFailed } from '../failure.ts';
import { beginTyping } from '../injected/typing.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { quotedText } from '../page/page-text.ts';
import { usePage } from '../page/use-page.ts';
import { ENTER, type Key, keyFor } from './keys.ts';

/** Keys that are on their way to the browser at the same time. A page that takes the place of this one may get as many at most. */
export const BATCH = 8;

/**
 * Types a text at the end of what an element holds, one key for each character. A newline is the Enter key, a tab the Tab key.
 * @param target a CSS selector, or the id of an element in a snapshot: an input, textarea, or editable element
 * @throws GatewayError if there is no such element or it takes no text, or if the page goes to another address meanwhile: the typing
 *   stops; the reason of `signal`
 */
export async function typeText(page: Page, target: string, text: string, signal: AbortSignal): Promise<void> {
  await usePage(page, () =>
    withElement(page, target, signal, async (element) => {
      const requireShown = shownDocuments(page, element.frame);
      await focusEnd(page, element, target, signal);
      await pressKeys(page, text.replaceAll('\r\n', '\n'), { signal, requireShown });
    }),
  );
}

async function focusEnd(page: Page, element: RemoteHandle, target: string, signal: AbortSignal): Promise<void> {
  const answer = await page.scripts.call(element.frame, beginTyping, [element, false], signal);
  if (answer.kind === 'refused') throw browserFailed(`${quotedText(target)} ${answer.why}`);
  if (answer.kind === 'atStart') await pressEnd(page, signal);
}

/** Scripts may not move the caret in fields for numbers and mail addresses. */
async function pressEnd({ session }: Page, signal: AbortSignal): Promise<void> {
  const end = { key: 'End', code: 'End', windowsVirtualKeyCode: 35 };
  const down = { type: 'rawKeyDown' as const, ...end, commands: ['MoveToEndOfLine'] };
  await session.send('Input.dispatchKeyEvent', down, signal);
  await session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...end }, signal);
}

interface PressOptions {
  readonly signal: AbortSignal;
  readonly requireShown: (notDone: string) => void;
}

async function pressKeys(page: Page, text: string, { signal, requireShown }: PressOptions): Promise<void> {
  let underWay: Promise<unknown>[] = [];
  let typed = 0;
  for (const step of stepsOf(text)) {
    signal.throwIfAborted();
    requireShown(`only the first ${typed} of ${text.length} characters were typed`);
    underWay.push(take(page, step));
    typed += typeof step === 'string' ? step.length : 1;
    if (underWay.length < BATCH && step !== ENTER) continue;
    await unlessAborted(Promise.all(underWay), signal);
    underWay = [];
  }
  await unlessAborted(Promise.all(underWay), signal);
}

/** Yields a key for each character, and as a string what no key makes. */
function* stepsOf(text: string): Generator<Key | string> {
  let rest = '';
  for (const character of text) {
    const key = keyFor(character);
    if (key === undefined) rest += character;
    else {
      if (rest !== '') yield rest;
      rest = '';
      yield key;
    }
  }
  if (rest !== '') yield rest;
}

function take({ session }: Page, step: Key | string): Promise<unknown> {
  if (typeof step === 'string') return session.send('Input.insertText', { text: step });
  const { text, ...key } = step;
  const made = text === undefined ? {} : { text, unmodifiedText: text };
  return Promise.all([
    session.send('Input.dispatchKeyEvent', { type: text === undefined ? 'rawKeyDown' : 'keyDown', ...key, ...made }),
    session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key }),
  ]);
}
