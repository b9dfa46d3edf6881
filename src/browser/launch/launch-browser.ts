import type { Readable, Writable } from 'node:stream';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { type EndingStep, endTree, STOP_STEP_MS } from '../../process/process-group.ts';
import type { Reaper } from '../../process/reaper.ts';
import { type SpawnedTree, spawnTree } from '../../process/spawn-tree.ts';
import { CdpConnection } from '../cdp/cdp-connection.ts';
import { pipeWire } from '../cdp/pipe-wire.ts';
import { browserFailed } from '../failure.ts';
import { type BrowserSwitches, switchesFor } from './browser-switches.ts';
import { LastLines } from './last-lines.ts';
import { makeProfile, removeProfile } from './profile-folder.ts';

/** A browser that the gateway has started. */
export interface LaunchedBrowser {
  readonly connection: CdpConnection;
  /** Ends it with all its processes, and removes its profile. Harmless when called twice. */
  stop(): Promise<void>;
}

export interface LaunchOptions extends Omit<BrowserSwitches, 'profile'> {
  /** Absolute path of the program. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  /** The gateway's folder for its own files. */
  readonly home: string;
  readonly reaper: Reaper;
  /** Gives up, and ends what was started. */
  readonly signal: AbortSignal;
}

const KILL: EndingStep = { signal: 'SIGKILL', withinMs: STOP_STEP_MS };

/**
 * Starts Chrome, Chromium or Edge with a temporary profile, connected through a pipe.
 * @throws GatewayError if it cannot be started, or ends before it answers; the reason of `signal`. Then no process and no folder is left
 */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  options.signal.throwIfAborted();
  const profile = await makeProfile(options.home);
  let tree: SpawnedTree | undefined;
  const stop = onceOnly(async () => {
    if (tree !== undefined && (await endTree(tree, [KILL]))) options.reaper.remove(tree.child.pid!);
    await removeProfile(profile);
  });
  try {
    tree = await start(options, profile);
    const connection = await connect(tree, options);
    // A browser that crashes leaves its profile. A later caller of stop() gets the error.
    const onEnded = () => void stop().catch(() => undefined);
    connection.ended.addEventListener('abort', onEnded, { once: true });
    if (connection.ended.aborted) onEnded();
    return { connection, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start({ file, env, reaper, ...switches }: LaunchOptions, profile: string): Promise<SpawnedTree> {
  const args = switchesFor({ ...switches, profile });
  try {
    const tree = spawnTree({ file, args, cwd: profile, env, morePipes: 2 }, reaper);
    await tree.running;
    return tree;
  } catch (error) {
    throw browserFailed(
      `${file} cannot be started (${(error as Error).message}): set workflows.webview.browser in the config`,
      error,
    );
  }
}

async function connect({ child }: SpawnedTree, { file, signal }: LaunchOptions): Promise<CdpConnection> {
  const words = new LastLines();
  child.stderr!.on('data', (bytes: Buffer) => words.add(bytes));
  child.stdout!.resume();
  const [, , , toBrowser, fromBrowser] = child.stdio as unknown as [...unknown[], Writable, Readable] as [
    unknown,
    unknown,
    unknown,
    Writable,
    Readable,
  ];
  const connection = new CdpConnection(pipeWire(toBrowser, fromBrowser));
  try {
    await unlessAborted(connection.root.send('Browser.getVersion'), signal);
    return connection;
  } catch (error) {
    if (signal.aborted) throw error;
    throw browserFailed(`${file} ended at once${hintFor(words.text)}`, error);
  }
}

function hintFor(words: string): string {
  if (words.includes('--no-sandbox'))
    return ': its sandbox does not work here (it refuses to run as root, or the system forbids user namespaces). Run the gateway as another user, or set workflows.webview.sandbox to false in the config if you trust the pages';
  return words === '' ? '' : `. It wrote: ${words}`;
}

function onceOnly(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}
