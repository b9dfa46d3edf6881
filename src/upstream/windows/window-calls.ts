import { GatewayError } from '../../core/errors.ts';
import type { ClientRoots } from '../../core/folders/client-roots.ts';
import { folderOf } from '../../core/providers/caller-folder.ts';
import type { ProviderCall } from '../../core/providers/provider.ts';
import type { WindowsEntry } from '../../core/settings/upstream-entry.ts';
import type { Upstream } from '../upstream.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import type { WindowWish } from './choose-window.ts';
import type { OpenWindow, OpenWindows } from './open-windows.ts';
import { WindowChecks } from './window-checks.ts';
import type { KnownWindows } from './window-for-call.ts';
import type { WindowSearch } from './window-search.ts';

/** Imported on demand, with all code for HTTP, so that other upstreams do not wait for it. */
const finding = () => import('./find-windows.ts');
const choosing = () => import('./window-for-call.ts');

export interface WindowCallsHost extends Pick<UpstreamOptions, 'traits' | 'transport' | 'mask'> {
  readonly entry: WindowsEntry;
  readonly windows: OpenWindows;
  readonly search: WindowSearch;
  readonly roots: ClientRoots;
  /** Says that no window was found. */
  nothingFound(): string;
}

/** Chooses the window for a call: the one that has the client's folder open. */
export class WindowCalls {
  readonly #host: WindowCallsHost;
  readonly #checks: WindowChecks;

  constructor(host: WindowCallsHost) {
    this.#host = host;
    this.#checks = new WindowChecks(host.entry.timeouts.callMs, host.transport);
  }

  /**
   * Returns the connection to the window for a call.
   * @throws GatewayError if it cannot be told which, or there is none; it says what to do
   */
  async windowFor(call: ProviderCall, signal: AbortSignal): Promise<Upstream> {
    const { entry, mask } = this.#host;
    const wish = await this.#wishOf(call, signal);
    const choice = await (await choosing()).windowForCall(this.#known(), wish, entry.timeouts.callMs);
    if ('window' in choice) return choice.window.upstream;
    const text = `${entry.key}: ${mask(choice.problem)}`;
    throw new GatewayError('UPSTREAM_NOT_CONNECTED', text, { upstream: entry.key, effect: 'none' });
  }

  async #wishOf(call: ProviderCall, signal: AbortSignal): Promise<WindowWish> {
    const { entry, roots } = this.#host;
    const folder = entry.workspace ?? (await folderOf(call, roots, signal));
    const real = folder === undefined ? undefined : await (await finding()).realFolder(folder);
    return { folder: real, isConfigured: entry.workspace !== undefined };
  }

  /** Returns the windows as they are when they are looked at: there may be others after a look. */
  #known(): KnownWindows<OpenWindow> {
    const { windows, search } = this.#host;
    return {
      checks: this.#checks,
      windows: () => windows.all,
      isFresh: () => search.isFresh,
      absence: () => this.#absence(),
      look: search.look,
    };
  }

  /** Returns why there is no window to choose, and what to do; `undefined` if there is one. */
  #absence(): string | undefined {
    const { entry, traits, search, windows } = this.#host;
    const { againHint } = traits;
    if (search.state.name === 'stopped')
      return `${search.state.reason}. ${againHint ?? `To look for it again: viaduct sync ${entry.key}`}`;
    if (windows.all.length > 0) return undefined;
    const advice = 'Open the folder in the IDE, with the plug-in switched on';
    return `${this.#host.nothingFound()}. ${advice}. ${againHint ?? 'It is found by itself'}`;
  }
}
