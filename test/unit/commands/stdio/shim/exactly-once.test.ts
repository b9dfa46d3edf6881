import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShimUnderTest, settle } from './shim-under-test.ts';

/** One thing that happens between a client and its gateways. */
type Step =
  | { readonly is: 'request'; readonly method: string; readonly cut: number }
  | { readonly is: 'answer'; readonly which: number }
  | { readonly is: 'die'; readonly isWithinMessage: boolean }
  | { readonly is: 'ask' | 'reply' | 'settle' };

const METHODS = [
  'tools/call',
  'tools/call',
  'prompts/get',
  'tools/list',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
];

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constant('request' as const), method: fc.constantFrom(...METHODS), cut: fc.nat(60) }),
  },
  { weight: 4, arbitrary: fc.record({ is: fc.constant('answer' as const), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('die' as const), isWithinMessage: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constantFrom('ask' as const, 'reply' as const, 'settle' as const) }) },
);

/** A client that does what the steps say, and its gateways. */
class Play {
  readonly under = new ShimUnderTest();
  readonly #requested: number[] = [];
  readonly #replied = new Set<number>();
  #deaths = 0;

  async run(steps: readonly Step[]): Promise<void> {
    for (const each of steps) await this.#take(each);
    await settle();
    this.under.gateway.answerAll();
    await settle();
  }

  /** How often each request was answered. */
  get answers(): readonly number[] {
    return this.#requested.map((id) => this.under.answersTo(id).length);
  }

  async #take(each: Step): Promise<void> {
    const { gateway } = this.under;
    if (each.is === 'request') await this.#request(each);
    else if (each.is === 'answer') gateway.answer(each.which);
    else if (each.is === 'ask') gateway.ask();
    else if (each.is === 'reply') this.#reply();
    else if (each.is === 'die') this.#die(each.isWithinMessage);
    else await settle();
  }

  /** There may be ten deaths in a short time. */
  #die(isWithinMessage: boolean): void {
    if (++this.#deaths < 10) this.under.gateway.die(isWithinMessage);
  }

  async #request({ method, cut }: { readonly method: string; readonly cut: number }): Promise<void> {
    const id = 100 + this.#requested.length;
    this.#requested.push(id);
    const params = { level: 'info', uri: `a:${id % 3}` };
    const text = `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    this.under.input.write(text.slice(0, cut));
    if (cut % 2 === 0) await new Promise((resolve) => setImmediate(resolve));
    this.under.input.write(text.slice(cut));
  }

  /** Answers the oldest question that the client has not answered, from any gateway. */
  #reply(): void {
    const questions = this.under.client.messages
      .map(({ value }) => value)
      .filter(({ method }) => method === 'roots/list');
    const question = questions.find(({ id }) => !this.#replied.has(id));
    if (question === undefined) return;
    this.#replied.add(question.id);
    this.under.client.write(JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { roots: [] } }));
  }
}

test('each request is answered once, and no gateway hears what is not for it, whenever gateways end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const play = new Play();
      const opening = play.under.client.initialize();
      await settle();
      await opening;
      await play.run(steps);
      expect(play.under.end).toBeUndefined();
      expect(play.answers.filter((count) => count !== 1)).toEqual([]);
      for (const gateway of play.under.gateways) {
        expect(gateway.strayAnswers).toEqual([]);
        expect(gateway.methods.filter((method) => method === 'initialize')).toHaveLength(1);
        const ids = gateway.heard.filter(({ method }) => method !== undefined).flatMap(({ id }) => id ?? []);
        expect(new Set(ids).size).toBe(ids.length);
      }
      play.under.shim.stop('the test has ended');
    }),
    { numRuns: 60 },
  );
});
