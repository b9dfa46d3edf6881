import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../../core/settings/environment.ts';
import { browserFailed } from '../failure.ts';

/** Facts that decide where a browser is looked for. */
export interface BrowserSearch {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** The user's own folder. */
  readonly homeFolder: string;
}

const COMMANDS = [
  'google-chrome-stable',
  'google-chrome',
  'chromium',
  'chromium-browser',
  'microsoft-edge-stable',
  'microsoft-edge',
];

/** Folders of Linux that a gateway's PATH may lack. */
const USUAL_FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome', '/opt/microsoft/msedge'];

const MAC_PROGRAMS = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

const WINDOWS_PROGRAMS = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
];

const HOW_TO_INSTALL: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'brew install --cask google-chrome',
  win32: 'winget install Google.Chrome',
  linux: 'apt-get install chromium, or the package of your system',
};

/** Returns the files that may be a browser, the preferred ones first: Chrome, then Chromium, then Edge. */
export function browserPlaces(search: BrowserSearch): readonly string[] {
  if (search.platform === 'darwin') return macPlaces(search.homeFolder);
  return search.platform === 'win32' ? windowsPlaces(search.env) : linuxPlaces(search.env);
}

function linuxPlaces({ PATH = '' }: Environment): readonly string[] {
  const folders = new Set([...PATH.split(':').filter((folder) => folder.startsWith('/')), ...USUAL_FOLDERS]);
  const names = [...COMMANDS, 'chrome', 'msedge'];
  return names.flatMap((name) => [...folders].map((folder) => path.posix.join(folder, name)));
}

function macPlaces(homeFolder: string): readonly string[] {
  const folders = ['/Applications', path.posix.join(homeFolder, 'Applications')];
  return MAC_PROGRAMS.flatMap((name) =>
    folders.map((folder) => path.posix.join(folder, `${name}.app`, 'Contents', 'MacOS', name)),
  );
}

function windowsPlaces(env: Environment): readonly string[] {
  const roots = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA].filter((root) => root !== undefined);
  return WINDOWS_PROGRAMS.flatMap((parts) => roots.map((root) => path.win32.join(root, ...parts)));
}

/**
 * Finds Chrome, Chromium or Edge.
 * @param configured the path that the config gives, which is then the only place
 * @returns an absolute path
 * @throws GatewayError that says where it has looked and how to install a browser
 */
export async function findBrowser(configured: string | undefined, search: BrowserSearch): Promise<string> {
  if (configured !== undefined) return requireProgram(configured);
  const places = browserPlaces(search);
  for (const place of places) if (await isProgram(place)) return place;
  throw browserFailed(
    `no browser was found. Install Chrome, Chromium or Edge (${howToInstall(search)}), ` +
      `or set workflows.webview.browser in the config to its path. Searched: ${searched(places)}`,
  );
}

async function requireProgram(file: string): Promise<string> {
  if (path.isAbsolute(file) && (await isProgram(file))) return file;
  const fault = path.isAbsolute(file) ? 'there is no program at this path' : 'it must be an absolute path';
  throw browserFailed(`workflows.webview.browser in the config is ${JSON.stringify(file)}: ${fault}`);
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false; // not there, or not for this user: another place may have one
  }
}

const howToInstall = ({ platform }: BrowserSearch) => HOW_TO_INSTALL[platform] ?? HOW_TO_INSTALL.linux;

/** Names each folder once: a PATH has many. */
function searched(places: readonly string[]): string {
  const isUnix = places.every((place) => place.startsWith('/'));
  return [...new Set(places.map((place) => (isUnix ? path.posix : path.win32).dirname(place)))].join(', ');
}
