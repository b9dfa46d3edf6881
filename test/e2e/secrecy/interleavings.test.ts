import { expect, onTestFailed, test } from 'vitest';
import {
  type ActorStep,
  type Director,
  formAsk,
  outside,
  rootsAsk,
  samplingAsk,
} from '../../support/clients/director.ts';
import { PARTY_KINDS, type Party } from '../../support/clients/party-clients.ts';
import { type Playing, Stage } from '../../support/clients/stage.ts';
import { TRANSPORTS } from '../../support/transports.ts';

/** `npm run faults:long -- interleavings` runs 10,000, for half an hour. */
const INTERLEAVINGS = Number(process.env.VIADUCT_INTERLEAVINGS ?? 18);
const SEED = Number(process.env.VIADUCT_SEED ?? Date.now() % 1_000_000);

/** How clients share an upstream, and of which era it is. */
const WAYS = ['auto', 'gateway', 'modern'] as const;

const PATIENCE_MS = 3_600_000;

const upstreamNames = TRANSPORTS.flatMap((transport) =>
  WAYS.map((way) => [`${transport}-${way}`, transport, way] as const),
);

async function all(director: Director): Promise<Record<string, object>> {
  const entries = upstreamNames.map(async ([name, transport, way]) => {
    const entry = await director.entry(transport, way === 'modern' ? 'modern' : 'legacy', '--hold-outside');
    // Clients wait for each other, for as long as a busy machine makes them.
    const patient = { ...entry, timeouts: { callMs: PATIENCE_MS, totalMs: PATIENCE_MS } };
    return [name, way === 'gateway' ? { ...patient, share: 'gateway' } : patient] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Numbers that are the same for the same seed (mulberry32). */
function numbersOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) % 1_000_000) % below;
  };
}

/** A call as this test follows it. */
interface Scene {
  readonly party: Party;
  readonly call: Playing;
  /** Its server has it. */
  readonly arrived: Promise<void>;
  isThere: boolean;
  isCancelled: boolean;
  readonly asked: Promise<unknown>[];
  /** The number of questions that are not answered yet. */
  unanswered: number;
}

/** The one reason to refuse a question here: another client has cancelled a call, which its server has not answered. */
const GIVEN_UP = 'a call of another client was given up';

const QUESTIONS = [formAsk, samplingAsk, (_text: string, name: string) => rootsAsk(name)] as const;

/** An outcome with what has caused it: "fetch failed" alone says nothing. */
function inFull(outcome: any): string {
  if (!(outcome instanceof Error)) return JSON.stringify(outcome);
  const { code, cause } = outcome as { code?: string | number; cause?: unknown };
  return `${code === undefined ? '' : `${code} `}${outcome.message}${cause === undefined ? '' : `; ${inFull(cause)}`}`;
}

/** What happens at random on one upstream. */
class Play {
  readonly #stage: Stage;
  readonly #parties: readonly Party[];
  readonly #upstream: string;
  readonly #way: (typeof WAYS)[number];
  readonly #pick: (below: number) => number;
  #scenes: Scene[] = [];
  #names = 0;
  questions = 0;

  constructor(stage: Stage, parties: readonly Party[], upstream: (typeof upstreamNames)[number], seed: number) {
    this.#stage = stage;
    this.#parties = parties;
    [this.#upstream, , this.#way] = upstream;
    this.#pick = numbersOf(seed);
  }

  /** From its first question on the upstream is known as one that does not say for which call it asks. */
  async open(): Promise<void> {
    const scene = this.#begin(this.#parties[0]!);
    await scene.arrived;
    this.#ask(scene, true, formAsk);
    await this.#end(scene);
  }

  async run(): Promise<void> {
    this.#scenes = [];
    this.#begin(this.#oneOf(this.#parties));
    for (let steps = 6 + this.#pick(8); steps > 0; steps--) {
      this.#step();
      if (this.#pick(3) === 0) await new Promise((resolve) => setTimeout(resolve, this.#pick(8)));
    }
    await Promise.all(this.#scenes.map((scene) => this.#end(scene)));
  }

  #step(): void {
    const there = this.#scenes.filter(({ isThere, isCancelled }) => isThere && !isCancelled);
    const what = this.#pick(8);
    if (what < 2 || there.length === 0) {
      if (this.#scenes.length < 6) this.#begin(this.#oneOf(this.#parties));
    } else if (what < 5) this.#ask(this.#oneOf(there), this.#pick(2) === 0);
    else if (what < 7) this.#tell(this.#oneOf(there), { do: 'log', text: this.#secretOf(this.#oneOf(there)) });
    else this.#cancel(this.#oneOf(there));
  }

  #begin(party: Party): Scene {
    const call = this.#stage.begin(party, this.#upstream);
    const arrived = call.arrived.then(() => {
      scene.isThere = true;
    });
    const ended = call.outcome.then((outcome) => {
      if (!scene.isThere) throw new Error(`${this.#upstream}: a call of ${party.name} failed: ${inFull(outcome)}`);
    });
    const scene: Scene = {
      party,
      call,
      arrived: Promise.race([arrived, ended]),
      isThere: false,
      isCancelled: false,
      asked: [],
      unanswered: 0,
    };
    // Its failure is seen when it is awaited, not before.
    scene.arrived.catch(() => undefined);
    this.#scenes.push(scene);
    return scene;
  }

  #ask(scene: Scene, isOutside: boolean, make = this.#oneOf(QUESTIONS)): void {
    const name = `question-${++this.#names}`;
    const question = make(this.#secretOf(scene), name);
    // A server of 2026-07-28 asks one thing after the other, or its calls would come again out of order.
    if (this.#way === 'modern' && scene.asked.length > 0) return;
    this.questions++;
    this.#stage.director.begin(scene.call.name, isOutside ? outside(question) : question);
    const answered = this.#stage.director.answerTo(scene.call.name, name).then((answer) => {
      scene.unanswered--;
      if (scene.isCancelled) return;
      const text = JSON.stringify(answer);
      if (text.includes(GIVEN_UP) && this.#scenes.some((other) => other.isCancelled && other.party !== scene.party))
        return;
      if (!text.includes(scene.party.name)) throw new Error(`${this.#upstream}: ${scene.party.name} is asked; ${text}`);
    });
    answered.catch(() => undefined);
    scene.unanswered++;
    scene.asked.push(answered);
  }

  #tell(scene: Scene, step: ActorStep): void {
    this.#stage.director.begin(scene.call.name, { ...step, text: this.#secretOf(scene) });
    // A server of 2026-07-28 has no stream but those of its requests.
    if (this.#way !== 'modern' && this.#pick(2) === 0)
      this.#stage.director.begin(scene.call.name, outside({ ...step, text: this.#secretOf(scene) }));
  }

  /**
   * Over HTTP the late answer of a cancelled call is not heard, so it casts doubt on all that share a session.
   * A client of 2026-07-28 that has been asked has no request open: it can only stay away, and the call waits for it.
   */
  #cancel(scene: Scene): void {
    if (this.#way === 'modern' || this.#upstream === 'http-gateway') return;
    if (scene.party.kind.startsWith('modern') && scene.unanswered > 0) return;
    scene.isCancelled = true;
    scene.call.cancel();
  }

  /** Its server answers: once its questions are answered, or late, after the call was cancelled. */
  async #end(scene: Scene): Promise<void> {
    const { director } = this.#stage;
    const { name } = scene.call;
    if (scene.isCancelled) await director.cancelled(name);
    else await scene.arrived;
    director.begin(name, { do: 'log', text: this.#secretOf(scene) });
    if (!scene.isCancelled) await Promise.all(scene.asked);
    director.begin(name, { do: 'answer', text: this.#secretOf(scene) });
    // Over HTTP the stream of a cancelled call is closed: a question that its server asks at that moment reaches no client.
    const asked = scene.isCancelled && this.#upstream === 'http-auto' ? [] : scene.asked;
    await Promise.all([scene.call.outcome, ...asked.map((one) => one.catch(() => undefined))]);
    // Late, and perhaps while a call of another client is open.
    if (this.#way !== 'modern') director.begin(name, outside({ do: 'log', text: this.#secretOf(scene) }));
  }

  #secretOf({ party }: Scene): string {
    return `SECRET of ${party.name}; from ${this.#upstream}`;
  }

  #oneOf<T>(of: readonly T[]): T {
    return of[this.#pick(of.length)]!;
  }
}

/** Looks at what clients hear, while they hear it. */
class Watch {
  readonly #parties: readonly Party[];
  readonly #checked = new Map<Party, number>();
  interleavings = 0;

  constructor(parties: readonly Party[]) {
    this.#parties = parties;
  }

  /** Checks what has come since the last time. Throws when a client has heard the secret of another. */
  check(): void {
    for (const party of this.#parties) {
      const checked = this.#checked.get(party) ?? 0;
      const heard = party.heard(checked);
      this.#checked.set(party, checked + heard.length);
      for (const text of heard) if (isCrossing(party, text)) throw new Error(`a secret reached ${party.name}: ${text}`);
    }
  }

  get summary(): string {
    const messages = [...this.#checked.values()].reduce((sum, count) => sum + count, 0);
    return `${this.interleavings} interleavings, ${messages} messages checked`;
  }
}

function isCrossing({ name }: Party, text: string): boolean {
  return [...text.matchAll(/SECRET of (\w+);/g)].some(([, owner]) => owner !== name);
}

test(
  `clients of both eras, by both ways, on upstreams of every transport, era and way to share them: no secret crosses, every question is answered (seed ${SEED})`,
  async () => {
    const stage = await Stage.open(all);
    const kinds = [...PARTY_KINDS, 'legacy http'] as const;
    const parties = await Promise.all(kinds.map((kind, index) => stage.connect(kind, `Party${index}`)));
    const watch = new Watch(parties);
    onTestFailed(() => console.info(`${watch.summary}; never happened:`, stage.director.missing.slice(0, 40)));
    const rounds = Math.ceil(INTERLEAVINGS / upstreamNames.length);
    const plays = await Promise.all(
      upstreamNames.map(async (upstream, index) => {
        const play = new Play(stage, parties, upstream, SEED + index);
        if (upstream[2] !== 'modern') await play.open();
        for (let round = 0; round < rounds; round++) {
          await play.run();
          watch.interleavings++;
          watch.check();
        }
        return play;
      }),
    );
    watch.check();
    const questions = plays.reduce((sum, play) => sum + play.questions, 0);
    expect(questions).toBeGreaterThan(INTERLEAVINGS / 2);
    if (process.env.VIADUCT_INTERLEAVINGS !== undefined) console.info(`${watch.summary}, ${questions} questions`);
  },
  120_000 + INTERLEAVINGS * 600,
);
