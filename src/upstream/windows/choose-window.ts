import { isInside } from '../../core/folders/is-inside.ts';
import { cleanText, cutText } from '../../core/text/clean-text.ts';
import type { IdeWindow } from './find-windows.ts';
import { type FolderEntries, folderWith } from './folder-entries.ts';

/** The longest part of a folder's path that is shown. */
const SHOWN = 300;

export interface WindowWish {
  /** Real path of the folder that the window must have open; `undefined` if nothing tells. */
  readonly folder: string | undefined;
  /** The config names that folder, and not the client. */
  readonly isConfigured: boolean;
}

export type Choice<Window> = { readonly window: Window } | { readonly problem: string };

/**
 * Chooses the window for a folder: the one that has it open, or the nearest folder above it; else the only one that has a
 * folder below it. The only window there is will do where the folder is not known. A window that does not say its folder
 * counts as the one whose entries it has.
 */
export async function chooseFor<Window extends IdeWindow>(
  windows: readonly Window[],
  wish: WindowWish,
): Promise<Choice<Window>> {
  const located = await Promise.all(
    windows.map(async (whole) => ({ ...whole, workspace: await workspaceOf(whole, wish), whole })),
  );
  const choice = chooseWindow(located, wish);
  return 'problem' in choice ? choice : { window: choice.window.whole };
}

async function workspaceOf({ workspace, entries }: IdeWindow, { folder }: WindowWish): Promise<string | undefined> {
  if (workspace !== undefined || entries === undefined || folder === undefined) return workspace;
  return folderWith(entries, folder);
}

/** Chooses in the same way by the folders that the windows say alone. */
export function chooseWindow<Window extends IdeWindow>(windows: readonly Window[], wish: WindowWish): Choice<Window> {
  const { folder } = wish;
  const [only] = windows.length === 1 ? windows : [];
  if (windows.length === 0) return { problem: 'no window was found. Open the folder in the IDE, with the plug-in on' };
  if (folder === undefined)
    return only === undefined ? problem('it is not known which folder', windows) : { window: only };
  const best = nearest(windows, folder);
  if (best.length === 1) return { window: best[0]! };
  if (best.length > 1) return problem(`several windows fit the folder ${folder}, and it is not known which`, windows);
  return problem(`no window is known to have the folder ${folder} open, which`, windows, wish);
}

function nearest<Window extends IdeWindow>(windows: readonly Window[], folder: string): Window[] {
  const above = windows.filter(({ workspace }) => hasFolder(workspace) && isInside(workspace, folder));
  if (above.length === 0) return windows.filter(({ workspace }) => hasFolder(workspace) && isInside(folder, workspace));
  const depth = Math.max(...above.map(({ workspace }) => workspace!.length));
  return above.filter(({ workspace }) => workspace!.length === depth);
}

const hasFolder = (workspace: string | undefined): workspace is string => workspace !== undefined && workspace !== '';

function problem(begin: string, windows: readonly IdeWindow[], wish?: WindowWish): { readonly problem: string } {
  const whose = wish?.isConfigured === true ? 'the config names' : 'this client works in';
  const isSilent = windows.some(({ workspace }) => workspace === undefined);
  const byUrl = isSilent ? '; a plug-in that does not say its folder can be named by its url' : '';
  const help = `Open that folder in the IDE, or name the window's folder as "workspace" in the config${byUrl}`;
  return { problem: `${begin} ${whose}. Windows: ${windows.map(shownWindow).join(', ')}. ${help}` };
}

/** Returns the folder that a plug-in named, as messages and the status show it. */
export function shownFolder(workspace: string): string {
  return cutText(cleanText(workspace), SHOWN);
}

function shownWindow({ port, workspace, entries }: IdeWindow): string {
  if (workspace === undefined) return `127.0.0.1:${port} (does not say its folder${shownEntries(entries)})`;
  return `127.0.0.1:${port} (${workspace === '' ? 'no folder open' : shownFolder(workspace)})`;
}

/** Enough of them for people to know the folder. */
const SHOWN_ENTRIES = 5;

function shownEntries(entries: FolderEntries | undefined): string {
  if (entries === undefined) return '';
  if (entries.size === 0) return ', which is empty';
  const names = [...entries.keys()].slice(0, SHOWN_ENTRIES).map((name) => cutText(cleanText(name), 40));
  return `, which has ${names.join(', ')}${entries.size > SHOWN_ENTRIES ? ', …' : ''}`;
}
