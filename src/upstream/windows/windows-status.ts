import type { UpstreamStatus, WindowStatus } from '../../core/providers/provider-status.ts';
import { shownFolder } from './choose-window.ts';
import type { IdeWindow } from './find-windows.ts';

/** The state of the search for windows. */
export type Search =
  | { readonly name: 'idle' | 'searching' }
  | { readonly name: 'stopped'; readonly reason: string }
  | { readonly name: 'looked'; readonly at: number; readonly nextAt: number };

const STATES: Readonly<Record<Search['name'], string>> = {
  idle: 'idle',
  searching: 'starting',
  looked: 'backoff',
  stopped: 'stopped',
};

interface EmptySearch {
  readonly search: Search;
  /** The time at which it came into this state. */
  readonly since: number;
  readonly nothingFound: string;
  /** Windows that were found so far. */
  readonly opened: number;
}

/** Returns the status of an entry for the windows of an IDE while there is none. */
export function statusWithoutWindows(
  { id, prefix }: { readonly id: string; readonly prefix: string },
  { search, since, nothingFound, opened }: EmptySearch,
): UpstreamStatus {
  return {
    key: id,
    prefix,
    state: STATES[search.name],
    since: new Date(since).toISOString(),
    ...(search.name === 'stopped' && { reason: search.reason }),
    ...(search.name === 'looked' && { reason: nothingFound, retryAt: new Date(search.nextAt).toISOString() }),
    starts: opened,
    counts: { tools: 0, prompts: 0, resources: 0, templates: 0 },
    listErrors: [],
    skipped: [],
    pins: { changed: 0, new: 0, withheld: 0 },
    suspicious: [],
    schemaFaults: [],
    calls: { open: 0, waiting: 0 },
    faults: {},
    misfits: {},
    stderr: [],
    startStderr: [],
    windows: [],
  };
}

/** Returns the status of one window, of which `upstream` is the connection. */
export function windowStatus({
  url,
  dialect,
  workspace,
  upstream,
}: IdeWindow & { readonly upstream: { status(): UpstreamStatus } }): WindowStatus {
  const { state, serverInfo } = upstream.status();
  return {
    url,
    dialect,
    workspace: workspace === undefined ? null : shownFolder(workspace),
    state,
    ...(serverInfo !== undefined && { serverInfo }),
  };
}
