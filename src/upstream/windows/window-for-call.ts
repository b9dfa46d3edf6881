import { type Choice, chooseFor, type WindowWish } from './choose-window.ts';
import type { IdeWindow } from './find-windows.ts';
import { isSameWindow, type WindowChecks } from './window-checks.ts';

/** A window that is connected, or was. */
interface KnownWindow extends IdeWindow {
  /** True if it did not respond to the last search: its folder is then taken to be the same as before. */
  readonly isBusy: boolean;
  readonly upstream: object;
}

/** The windows that were found, and ways to look again. */
export interface KnownWindows<Window extends KnownWindow> {
  readonly checks: WindowChecks;
  windows(): readonly Window[];
  /** Returns true if the last search was recent. */
  isFresh(): boolean;
  /** Returns why there is no window to choose and what to do about it; `undefined` if there may be one. */
  absence(): string | undefined;
  look(): Promise<void>;
}

/**
 * Chooses the window for a call. It must have said what it has open after the call came; a busy one may take as long for that as
 * for the call itself.
 * @param callMs how long a call may be silent
 */
export async function windowForCall<Window extends KnownWindow>(
  known: KnownWindows<Window>,
  wish: WindowWish,
  callMs: number,
): Promise<Choice<Window>> {
  const deadline = Date.now() + callMs;
  const asking: Asking<Window> = { known, wish, callMs, deadline };
  return (await knownWindow(asking)) ?? newestChoice(asking);
}

interface Asking<Window extends KnownWindow> {
  readonly known: KnownWindows<Window>;
  readonly wish: WindowWish;
  readonly callMs: number;
  readonly deadline: number;
}

/** Returns the choice by a look not long ago, if the window that it falls on is still as it was then. */
async function knownWindow<Window extends KnownWindow>(asking: Asking<Window>): Promise<Choice<Window> | undefined> {
  const { known, wish } = asking;
  if (!known.isFresh()) return undefined;
  const choice = await chooseFor(known.windows(), wish);
  return 'problem' in choice ? undefined : confirmed(choice.window, asking);
}

async function newestChoice<Window extends KnownWindow>(asking: Asking<Window>): Promise<Choice<Window>> {
  const first = await choiceAfterLook(asking);
  if ('problem' in first || !first.window.isBusy) return first;
  const waited = await confirmed(first.window, asking);
  if (waited !== undefined) return waited;
  const last = await choiceAfterLook(asking);
  return 'window' in last && last.window.isBusy ? tooBusy(last.window, asking) : last;
}

async function choiceAfterLook<Window extends KnownWindow>({ known, wish }: Asking<Window>): Promise<Choice<Window>> {
  await known.look();
  const problem = known.absence();
  return problem === undefined ? chooseFor(known.windows(), wish) : { problem };
}

/** Asks a window whether it still has its folder; `undefined` if it has another one, or is gone. */
async function confirmed<Window extends KnownWindow>(
  window: Window,
  asking: Asking<Window>,
): Promise<Choice<Window> | undefined> {
  const { known, wish, deadline } = asking;
  const now = await known.checks.ask(window.port, deadline);
  if (now === undefined || ('problem' in now && now.problem === 'silent')) return tooBusy(window, asking);
  const isThere = known.windows().some(({ upstream }) => upstream === window.upstream);
  if ('problem' in now || !isThere || !isSameWindow(now, window)) return undefined;
  return 'problem' in (await chooseFor([now], wish)) ? undefined : { window };
}

function tooBusy<Window extends KnownWindow>({ url }: IdeWindow, { callMs }: Asking<Window>): Choice<Window> {
  return {
    problem: `the plug-in at ${url} did not say within ${callMs} ms which folder it has open. Its IDE is busy: try again`,
  };
}
