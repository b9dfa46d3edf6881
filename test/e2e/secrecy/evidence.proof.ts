import { describe, expect, test } from 'vitest';
import { formAsk, outside, rootsAsk } from '../../support/clients/director.ts';
import { PARTY_KINDS, type PartyKind } from '../../support/clients/party-clients.ts';
import { heardOf, Stage } from '../../support/clients/stage.ts';

const openHttp = (more: object = {}) =>
  Stage.open(async (director) => ({ a: { ...(await director.entry('http')), ...more } }));

const twoClients = async (stage: Stage, kind: PartyKind) =>
  [await stage.connect(kind, 'Alice'), await stage.connect(kind, 'Bob')] as const;

describe.each(PARTY_KINDS)('an upstream over HTTP, clients that come by %s', (kind) => {
  test('what is asked on the stream of a call reaches its client at once, whatever other calls are open', async () => {
    const stage = await openHttp();
    const { director } = stage;
    const [alice, bob] = await twoClients(stage, kind);
    const ofBob = stage.begin(bob);
    await ofBob.arrived;
    // The first question of all, and the second, of a server that is known to ask.
    for (const round of ['one', 'two']) {
      const ofAlice = stage.begin(alice);
      await ofAlice.arrived;
      director.begin(ofAlice.name, formAsk(`SECRET-${round}`, 'form'));
      director.begin(ofAlice.name, rootsAsk('roots'));
      expect(JSON.stringify(await director.answerTo(ofAlice.name, 'form'))).toContain(`Alice answers SECRET-${round}`);
      expect(JSON.stringify(await director.answerTo(ofAlice.name, 'roots'))).toContain('Alice');
      await stage.end(ofAlice);
    }
    await stage.end(ofBob);
    expect(heardOf(bob, 'SECRET')).toEqual([]);
  });

  test('what parallel calls log on their streams reaches their own clients, each line of it', async () => {
    const stage = await openHttp();
    const [alice, bob] = await twoClients(stage, kind);
    const calls = [alice, bob, alice, bob, alice, bob].map((party) => ({ party, call: stage.begin(party) }));
    await Promise.all(calls.map(({ call }) => call.arrived));
    await Promise.all(
      calls.map(({ call, party }) =>
        stage.director.tell(call.name, { do: 'log', text: `of ${party.name}: ${call.name}` }),
      ),
    );
    await Promise.all(calls.map(({ call }) => stage.end(call)));
    for (const { party, call } of calls) {
      await expect.poll(() => heardOf(party, `of ${party.name}: ${call.name}`)).toHaveLength(1);
      const other = party === alice ? bob : alice;
      expect(heardOf(other, `of ${party.name}`)).toEqual([]);
    }
  });

  test('a question that names no call waits until only one client can be meant, and is refused where that never comes', async () => {
    const stage = await openHttp({ share: 'gateway' });
    const { director } = stage;
    const [alice, bob] = await twoClients(stage, kind);
    const [ofAlice, ofBob] = [stage.begin(alice), stage.begin(bob)];
    await Promise.all([ofAlice.arrived, ofBob.arrived]);
    director.begin(ofAlice.name, outside(formAsk('SECRET-OF-ALICE', 'form')));
    await stage.end(ofBob);
    expect(JSON.stringify(await director.answerTo(ofAlice.name, 'form'))).toContain('Alice answers');
    await stage.end(ofAlice);
    expect(heardOf(bob, 'SECRET')).toEqual([]);
  });
});

test.each(PARTY_KINDS)('what comes on the stream of a call that has ended goes to nobody: %s', async (kind) => {
  const stage = await Stage.open(async (director) => ({ a: await director.entry('http', 'legacy', '--linger') }));
  const { director } = stage;
  const [alice, bob] = await twoClients(stage, kind);
  const ended = stage.begin(alice);
  await ended.arrived;
  await stage.end(ended);
  // Now another call is open, and no client but this one can be meant: it is not this call's all the same.
  for (const party of [alice, bob]) {
    const open = stage.begin(party);
    await open.arrived;
    await director.tell(ended.name, { do: 'log', text: 'SECRET: log' });
    director.begin(ended.name, formAsk('SECRET: may I?', party.name));
    expect((await director.answerTo(ended.name, party.name)).error.message).toContain('has ended');
    await stage.end(open);
  }
  expect([alice, bob].flatMap((party) => heardOf(party, 'SECRET'))).toEqual([]);
});
