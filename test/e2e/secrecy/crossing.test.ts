import { describe, expect, test } from 'vitest';
import { Director, formAsk, outside, samplingAsk } from '../../support/director.ts';
import { openServe, upstreams } from '../../support/gateway.ts';
import { connectParty, PARTY_KINDS, type Party, type PartyKind } from '../../support/party-clients.ts';
import { TRANSPORTS, type TransportName } from '../../support/transports.ts';

/** A gateway with an actor as its upstream `a`, and two clients of it. */
async function open(transport: TransportName, kind: PartyKind, more: object = {}) {
  const director = await Director.open();
  const config = upstreams({ a: { ...(await director.entry(transport)), ...more } });
  const serving = await openServe(config);
  let answer = () => undefined as void;
  const answering = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const connect = async (name: string) => {
    const party = await connectParty(kind, name, config, serving, { until: answering });
    await expect.poll(() => party.toolNames()).toContain('a_play');
    return party;
  };
  const [alice, bob] = [await connect('Alice'), await connect('Bob')];
  const play = (party: Party, call: string) => {
    const outcome = party.play(call).catch((error: unknown) => error);
    return { arrived: director.arrived(call), outcome };
  };
  return { director, alice, bob, play, answer };
}

const heardOf = (party: Party, secret: string): readonly string[] => party.heard().filter((text) => text.includes(secret));

const KINDS: readonly [TransportName, PartyKind][] = TRANSPORTS.flatMap((transport) =>
  PARTY_KINDS.map((kind): [TransportName, PartyKind] => [transport, kind]),
);

describe.each(KINDS)('an upstream over %s, clients: %s', (transport, kind) => {
  test("the second question of a client's call does not go to another client, however long the first has been open", async () => {
    const { director, alice, bob, play, answer } = await open(transport, kind);
    // Bob has used the upstream, and stays with the process that Alice uses.
    const before = play(bob, 'before');
    await before.arrived;
    await director.tell('before', { do: 'answer', text: 'ok' });
    await before.outcome;

    const ofAlice = play(alice, 'alice');
    await ofAlice.arrived;
    director.begin('alice', outside(formAsk('SECRET-OF-ALICE: may I?', 'first')));
    await expect.poll(() => heardOf(alice, 'SECRET-OF-ALICE')).toHaveLength(1);
    // Long enough for a gateway to believe that nothing more is heard of Alice's call.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const ofBob = play(bob, 'bob');
    await Promise.race([ofBob.arrived, new Promise((resolve) => setTimeout(resolve, 500))]);
    director.begin('alice', outside(samplingAsk('SECRET-OF-ALICE: release notes', 'second')));
    await new Promise((resolve) => setTimeout(resolve, 500));
    answer();
    expect(JSON.stringify(await director.answerTo('alice', 'first'))).toContain('Alice');
    expect(JSON.stringify(await director.answerTo('alice', 'second'))).toContain('Alice');
    await director.tell('alice', { do: 'answer', text: 'for Alice' });
    await ofAlice.outcome;
    await ofBob.arrived;
    await director.tell('bob', { do: 'answer', text: 'for Bob' });
    await ofBob.outcome;
    expect(heardOf(bob, 'SECRET-OF-ALICE')).toEqual([]);
  });
});
