import type { Descriptor } from '../../core/providers/provider.ts';
import type { SyncReport } from '../../core/providers/provider-status.ts';
import { lastWordsOf } from '../../core/refusals/last-words.ts';
import { hasTasks } from '../../era/tasks.ts';
import type { Connection } from '../connection/connection.ts';
import type { StderrTail } from '../connection/stderr-tail.ts';
import { isLazy } from '../entry/start-rule.ts';
import type { DeclaredCapabilities } from '../extensions/declared-capabilities.ts';
import type { UpstreamLists } from '../lists/upstream-lists.ts';
import type { StateWaiters } from '../status/state-waiters.ts';
import type { UpstreamOptions } from '../upstream-options.ts';
import { syncByHand } from './sync-by-hand.ts';

/** The parts of an upstream that its user starts and stops. */
export interface ControlledParts {
  readonly connection: Pick<Connection, 'state' | 'want' | 'stop' | 'onCredentialsChanged'>;
  readonly lists: Pick<UpstreamLists, 'known' | 'sync' | 'trouble'>;
  readonly states: StateWaiters;
  readonly stderr: Pick<StderrTail, 'lastOfStart'>;
  readonly declared: Pick<DeclaredCapabilities, 'known'>;
}

/** Starts, stops and syncs one upstream as its user wants it: by hand, by the config, or by a login. */
export class ConnectionControl {
  readonly #options: Pick<UpstreamOptions, 'entry' | 'mask' | 'transport'>;
  readonly #parts: ControlledParts;
  #isRetired = false;

  /** @param parts may be completed after this */
  constructor(options: Pick<UpstreamOptions, 'entry' | 'mask' | 'transport'>, parts: ControlledParts) {
    this.#options = options;
    this.#parts = parts;
  }

  /** Begins to connect, unless this upstream is started by calls and its lists are known. */
  start(): void {
    if (!this.#isRetired && !this.#waitsForCalls()) this.#parts.connection.want(true, false);
  }

  /** Modern clients are told of a server's tasks only while it is connected. */
  #waitsForCalls(): boolean {
    const { lists, declared } = this.#parts;
    return isLazy(this.#options.entry) && lists.known.isKnown('tool') && !hasTasks('modern', declared.known ?? {});
  }

  /** Ends the connection until it is requested again. */
  disconnect(reason: string): Promise<void> {
    return this.#parts.connection.stop(reason, true);
  }

  /** Ends the connection for good: nothing starts it again. Resolves when the process is gone. */
  retire(reason: string): Promise<void> {
    this.#isRetired = true;
    return this.disconnect(reason);
  }

  /**
   * Reads the lists again, over a new connection if there is none.
   * @param tools returns the tools that clients see now
   * @throws GatewayError when it cannot be connected
   */
  sync(tools: () => readonly Descriptor[]): Promise<SyncReport> {
    const { connection, states, lists, stderr } = this.#parts;
    const { entry, mask } = this.#options;
    return syncByHand({
      connection,
      states,
      lists,
      id: entry.key,
      mask,
      tools,
      lastWords: () => lastWordsOf(stderr.lastOfStart()),
      isRetired: () => this.#isRetired,
    });
  }

  /** Called when a user has logged in or out, perhaps to this upstream. */
  async onCredentialsChanged(): Promise<void> {
    const isUsable = await this.#options.transport.authorization?.reload();
    if (isUsable !== true) return;
    const { connection } = this.#parts;
    if (connection.state.name === 'needs-auth') connection.want(true);
    else connection.onCredentialsChanged();
  }
}
