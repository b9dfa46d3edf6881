import { describe, expect, test } from 'vitest';
import { type Director, formAsk, outside, rootsAsk, samplingAsk } from '../../support/clients/director.ts';
import { PARTY_KINDS, type Party } from '../../support/clients/party-clients.ts';
import { gate, heardOf, type Playing, Stage } from '../../support/clients/stage.ts';
import { TRANSPORTS, type TransportName } from '../../support/transports.ts';

/** One actor for each transport, under its name. */
const overAll =
  (more: object = {}) =>
  async (director: Director): Promise<Record<string, object>> => {
    const entries = TRANSPORTS.map(async (name) => [name, { ...(await director.entry(name)), ...more }] as const);
    return Object.fromEntries(await Promise.all(entries));
  };

const forAll = (run: (transport: TransportName) => Promise<void>) => Promise.all(TRANSPORTS.map(run));

const settled = (call: Playing) => call.outcome.then(() => undefined);

describe.each(PARTY_KINDS)('clients that come by %s, upstreams over every transport', (kind) => {
  test("the second question of a client's call goes to no other client, however long the first has been open", async () => {
    const stage = await Stage.open(overAll());
    const { director } = stage;
    const answering = gate();
    const [alice, bob] = (await Promise.all(
      ['Alice', 'Bob'].map((name) => stage.connect(kind, name, { until: answering.opened })),
    )) as [Party, Party];
    // Bob has used the upstreams, and stays with the processes that Alice uses.
    await forAll((name) => stage.use(bob, name));
    await forAll(async (name) => {
      const secret = `SECRET-${name}`;
      const ofAlice = stage.begin(alice, name);
      await ofAlice.arrived;
      director.begin(ofAlice.name, outside(formAsk(`${secret}: may I?`, 'first')));
      await expect.poll(() => heardOf(alice, secret)).toHaveLength(1);
      // Long enough for a gateway to believe that nothing more is heard of Alice's call.
      await new Promise((resolve) => setTimeout(resolve, 400));
      const ofBob = stage.begin(bob, name);
      director.begin(ofAlice.name, outside(samplingAsk(`${secret}: release notes`, 'second')));
      director.begin(ofAlice.name, outside(rootsAsk('third')));
      await new Promise((resolve) => setTimeout(resolve, 400));
      answering.open();
      for (const question of ['first', 'second', 'third'])
        expect(JSON.stringify(await director.answerTo(ofAlice.name, question))).toContain('Alice');
      await stage.end(ofAlice);
      await ofBob.arrived;
      await stage.end(ofBob);
      expect(heardOf(bob, secret)).toEqual([]);
    });
  });

  test('what is asked or logged because of a call that was given up goes to nobody', async () => {
    const stage = await Stage.open(overAll({ share: 'gateway' }));
    const { director } = stage;
    const [alice, bob] = (await Promise.all(['Alice', 'Bob'].map((name) => stage.connect(kind, name)))) as [
      Party,
      Party,
    ];
    await forAll(async (name) => {
      const secret = `SECRET-${name}`;
      await stage.use(bob, name);
      const ofAlice = stage.begin(alice, name);
      await ofAlice.arrived;
      ofAlice.cancel();
      // Over HTTP a client of 2026-07-28 cancels by closing its connection, which takes its way through the gateway.
      await director.saw(({ event, call }) => event === 'cancelled' && call === ofAlice.name);
      const ofBob = stage.begin(bob, name);
      await ofBob.arrived;
      director.begin(ofAlice.name, outside({ do: 'log', text: `${secret}: log` }));
      director.begin(ofAlice.name, outside(formAsk(`${secret}: form`, 'form')));
      director.begin(ofAlice.name, outside(samplingAsk(`${secret}: sampling`, 'sampling')));
      // Some servers answer a cancelled call with an error while what they have asked for it is still open.
      director.begin(ofAlice.name, { do: 'answer', text: `${secret}: answer` });
      for (const question of ['form', 'sampling'])
        expect((await director.answerTo(ofAlice.name, question)).error.message).toMatch(/given up|has ended/);
      await stage.end(ofBob);
      await settled(ofAlice);
      expect(heardOf(bob, secret)).toEqual([]);
    });
  });

  test('a log line goes to the client that is the only one so far, and to nobody once another has used the upstream', async () => {
    const stage = await Stage.open(overAll());
    const { director } = stage;
    const [alice, bob] = (await Promise.all(['Alice', 'Bob'].map((name) => stage.connect(kind, name)))) as [
      Party,
      Party,
    ];
    await forAll(async (name) => {
      const alone = stage.begin(alice, name);
      await alone.arrived;
      await director.tell(alone.name, outside({ do: 'log', text: `alone-${name}` }));
      await expect.poll(() => heardOf(alice, `alone-${name}`)).toHaveLength(1);
      await stage.end(alone);
      const [ofAlice, ofBob] = [stage.begin(alice, name), stage.begin(bob, name)];
      await Promise.all([ofAlice.arrived, ofBob.arrived]);
      await director.tell(ofAlice.name, outside({ do: 'log', text: `SECRET-${name}` }));
      await stage.end(ofAlice);
      // The log line of a call that has ended while another client's was open.
      await director.tell(ofAlice.name, outside({ do: 'log', text: `SECRET-${name}-late` }));
      await stage.end(ofBob);
      // And that of one whose call has ended before another client's began.
      const later = stage.begin(bob, name);
      await later.arrived;
      await director.tell(ofAlice.name, outside({ do: 'log', text: `SECRET-${name}-later` }));
      await stage.end(later);
      expect([...heardOf(alice, `SECRET-${name}`), ...heardOf(bob, `SECRET-${name}`)]).toEqual([]);
      expect(heardOf(bob, `alone-${name}`)).toEqual([]);
    });
  });
});
