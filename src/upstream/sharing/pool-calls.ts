import { GatewayError } from '../../core/errors.ts';
import type { ClientRoots } from '../../core/folders/client-roots.ts';
import { NOTHING_TO_CANCEL, type ProviderCall, type RunningCall } from '../../core/providers/provider.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import { isAboutTask } from '../../era/tasks.ts';
import type { Upstream } from '../upstream.ts';
import { callWhenChosen } from './call-when-chosen.ts';
import { folderKey } from './folder-key.ts';
import type { Members } from './members.ts';

/** The most processes for calls of one client that wait for answers: as many calls may be parked. */
const MAX_PLACES = 16;

export interface PoolCallsHost {
  readonly entry: Pick<UpstreamEntry, 'key' | 'share'>;
  readonly members: Pick<Members, 'at' | 'claim' | 'isFree'>;
  readonly roots: ClientRoots;
  /** The log levels that clients want, for processes that are begun later. */
  readonly logLevels: ReadonlyMap<string, string>;
  /** Returns whether not all clients share one process. */
  isSplit(): boolean;
}

/** Gives each call to the process whose it is, and begins that process if there is none. */
export class PoolCalls {
  readonly #host: PoolCallsHost;

  constructor(host: PoolCallsHost) {
    this.#host = host;
  }

  /** Makes a call, in the process of its client or of the folder that its client works in. */
  call(call: ProviderCall): RunningCall {
    const { entry, roots } = this.#host;
    if (entry.share !== 'folder') return this.#callAt(this.#placeOf(call), call);
    return callWhenChosen(call, async (signal) => {
      const folder = await folderKey(call, roots, signal);
      return { call: (chosen) => this.#callAt(folder, chosen) };
    });
  }

  /**
   * Calls of 2026-07-28 over HTTP keep nothing between them, so one need not wait behind another whose client is being asked
   * and may never come back: it runs in a further process.
   */
  #placeOf({ caller }: ProviderCall): string {
    const { clientId, era } = caller.client;
    if (!this.#host.isSplit() || era === 'legacy' || caller.sessionId === clientId) return clientId;
    const places = Array.from({ length: MAX_PLACES }, (_, index) => (index === 0 ? clientId : `${clientId} ${index}`));
    return places.find((place) => this.#host.members.isFree(place)) ?? clientId;
  }

  /** `place` is who, or what, has a process of its own. */
  #callAt(place: string, call: ProviderCall): RunningCall {
    const { caller } = call;
    const { members } = this.#host;
    const known = members.at(place, caller);
    if (known !== undefined) return known.call(call);
    const refusal = this.#refusal(place, call);
    if (refusal !== undefined) return refuse(call, refusal);
    const begun = this.#begin(place, call) ?? members.at(caller.client.clientId, caller);
    return begun === undefined ? refuse(call, this.#tooMany()) : begun.call(call);
  }

  /** Returns why no process is begun for a call; `undefined` if one may be. */
  #refusal(place: string, { text, caller }: ProviderCall): GatewayError | undefined {
    const { client } = caller;
    if (this.#host.isSplit() && isAboutTask(text.message.method))
      return new GatewayError('UNKNOWN_TASK', 'Task not found');
    if (client.isSessionless !== true || place !== client.clientId) return undefined;
    const { key } = this.#host.entry;
    const why = `${key}: each client needs its own process or session there; send "initialize" first`;
    return new GatewayError('SESSION_NEEDED', why, { upstream: key, effect: 'none' });
  }

  #tooMany(): GatewayError {
    const { key } = this.#host.entry;
    const text = `${key}: too many clients have a process or session of their own. End one of them and try again`;
    return new GatewayError('OVERLOADED', text, { upstream: key, effect: 'none', retryAfterMs: 60_000 });
  }

  #begin(place: string, { caller }: ProviderCall): Upstream | undefined {
    const upstream = this.#host.members.claim(place, caller);
    if (upstream === undefined) return undefined;
    const { sessionId } = caller;
    const level = this.#host.logLevels.get(sessionId);
    if (level !== undefined) upstream.setLogLevel(sessionId, level);
    // One that has begun is not begun again: that would forget how often its process has ended.
    if (upstream.shown.state.name === 'idle') upstream.start();
    upstream.onSessionReady(sessionId);
    return upstream;
  }
}

function refuse({ caller }: ProviderCall, error: GatewayError): RunningCall {
  caller.onFailure(error);
  return NOTHING_TO_CANCEL;
}
