import { expect } from 'vitest';
import { openServe, type Serving, writeConfig } from '../gateway.ts';
import { type ActorEvent, Director } from './director.ts';
import { connectParty, type Party, type PartyKind, type PartyOptions } from './party-clients.ts';

/** A call that has begun. */
export interface Playing {
  readonly name: string;
  /** Its server has it. */
  readonly arrived: Promise<ActorEvent>;
  /** The result, or the error. */
  readonly outcome: Promise<any>;
  cancel(): void;
}

let calls = 0;

/** A gateway before actors, and its clients. */
export class Stage {
  readonly director: Director;
  readonly config: string;
  readonly serving: Serving;

  private constructor(director: Director, config: string, serving: Serving) {
    this.director = director;
    this.config = config;
    this.serving = serving;
  }

  /** `entries` are those of the actors by key; each may say more than how it is reached. */
  static async open(
    entries: (director: Director) => Promise<Record<string, object>>,
    { env }: { readonly env?: NodeJS.ProcessEnv } = {},
  ): Promise<Stage> {
    const director = await Director.open();
    const config = writeConfig({
      upstreams: await entries(director),
      lists: { graceMs: 20_000 },
      // The roots of all parties, which need not be there.
      workspace: { clientFolders: ['/home'] },
    });
    return new Stage(director, config, await openServe(config, env));
  }

  /** A client that sees the tools of all actors. */
  async connect(kind: PartyKind, name: string, options?: PartyOptions): Promise<Party> {
    const party = await connectParty(kind, name, this.config, this.serving, options);
    await expect.poll(async () => (await party.toolNames()).length).toBeGreaterThan(0);
    return party;
  }

  begin(party: Party, upstream = 'a'): Playing {
    const name = `${party.name}-${++calls}`;
    const stop = new AbortController();
    const outcome = party.play(upstream, name, stop.signal).catch((error: unknown) => error);
    return { name, arrived: this.director.arrived(name), outcome, cancel: () => stop.abort() };
  }

  /** A call that does nothing: its client has used the upstream from then on. */
  async use(party: Party, upstream = 'a'): Promise<void> {
    const call = this.begin(party, upstream);
    await call.arrived;
    await this.end(call);
  }

  async end({ name, outcome }: Playing): Promise<any> {
    await this.director.tell(name, { do: 'answer', text: `end of ${name}` });
    return outcome;
  }
}

/** The occurrences of a secret that a client has received. */
export function heardOf(party: Party, secret: string): readonly string[] {
  return party.heard().filter((text) => text.includes(secret));
}

/** Something that is awaited by many, and happens once. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let resolve: (() => void) | undefined;
  const opened = new Promise<void>((done) => {
    resolve = done;
  });
  return { opened, open: () => resolve?.() };
}
