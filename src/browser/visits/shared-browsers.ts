import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import type { CdpConnection } from '../cdp/cdp-connection.ts';
import type { AddressRules } from '../guard/address-rules.ts';
import { type Denial, RequestGuard } from '../guard/request-guard.ts';
import type { LaunchedBrowser } from '../launch/launch-browser.ts';
import { disposeContext, type Ground, makeContext } from './ground.ts';

/** Starts a browser; `signal` gives up. */
export type Launch = (headless: boolean, signal: AbortSignal) => Promise<LaunchedBrowser>;

/** A browser that the gateway has started for several clients. */
class SharedBrowser {
  readonly ready: Promise<LaunchedBrowser>;
  readonly #giveUp = new AbortController();
  readonly #listeners = new Set<(denial: Denial) => void>();
  #users = 0;
  #isLost = false;
  #ending: Promise<void> | undefined;

  constructor(launch: (signal: AbortSignal) => Promise<LaunchedBrowser>, rules: AddressRules) {
    this.ready = launch(this.#giveUp.signal).then((browser) => this.#prepare(browser, rules));
    const onLost = () => {
      this.#isLost = true;
    };
    // Its users are told by `ready` and by their pages.
    this.ready.then(({ connection: { ended } }) => {
      if (ended.aborted) onLost();
      else ended.addEventListener('abort', onLost, { once: true });
    }, onLost);
  }

  /** False once it ends, has crashed or could not be started. */
  get isUsable(): boolean {
    return this.#ending === undefined && !this.#isLost;
  }

  /** Takes part, until the returned function is called. The last one ends the browser. */
  join(): () => Promise<void> {
    this.#users++;
    let left: Promise<void> | undefined;
    return () => (left ??= this.#leave());
  }

  hear(listener: (denial: Denial) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #leave(): Promise<void> {
    this.#users--;
    if (this.#users > 0) return;
    this.#ending ??= this.#end();
    await this.#ending;
  }

  async #end(): Promise<void> {
    this.#giveUp.abort(new Error('no client needs the browser any more'));
    const browser = await this.ready.catch(() => undefined); // one that was not started has ended already
    await browser?.stop();
  }

  async #prepare(browser: LaunchedBrowser, rules: AddressRules): Promise<LaunchedBrowser> {
    const { root } = browser.connection;
    const guard = new RequestGuard(rules, (denial) => {
      for (const listener of this.#listeners) listener(denial);
    });
    try {
      const preparing = Promise.all([guard.guard(root), root.send('Target.setDiscoverTargets', { discover: true })]);
      await unlessAborted(preparing, this.#giveUp.signal);
      return browser;
    } catch (error) {
      await browser.stop();
      throw error;
    }
  }
}

/** The browsers that the gateway has started: one with windows and one without at most. Each visit has a context of its own. */
export class SharedBrowsers {
  readonly #launch: Launch;
  readonly #rules: AddressRules;
  readonly #browsers = new Map<boolean, SharedBrowser>();

  constructor(launch: Launch, rules: AddressRules) {
    this.#launch = launch;
    this.#rules = rules;
  }

  /**
   * Makes a context in the browser, which is started if it does not run.
   * @throws GatewayError if it cannot be started; CdpError; the reason of `signal`
   */
  async enter(headless: boolean, signal: AbortSignal): Promise<Ground> {
    const browser = this.#running(headless);
    const leave = browser.join();
    try {
      const { connection } = await unlessAborted(browser.ready, signal);
      const contextId = await makeContext(connection, signal);
      return groundIn(browser, { connection, contextId, leave });
    } catch (error) {
      await leave();
      throw error;
    }
  }

  #running(headless: boolean): SharedBrowser {
    const known = this.#browsers.get(headless);
    if (known?.isUsable === true) return known;
    const made = new SharedBrowser((signal) => this.#launch(headless, signal), this.#rules);
    this.#browsers.set(headless, made);
    return made;
  }
}

interface Entered {
  readonly connection: CdpConnection;
  readonly contextId: string;
  readonly leave: () => Promise<void>;
}

function groundIn(browser: SharedBrowser, { connection, contextId, leave }: Entered): Ground {
  const stops: (() => void)[] = [];
  return {
    connection,
    contextId,
    isPageOnly: false,
    onDenied: (listener) => void stops.push(browser.hear(listener)),
    async leave() {
      for (const stop of stops) stop();
      await disposeContext(connection, contextId);
      await leave();
    },
  };
}
