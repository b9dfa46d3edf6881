import { expect, test } from 'vitest';
import type { ActorStep, Director } from '../../support/clients/director.ts';
import type { Party, PartyKind } from '../../support/clients/party-clients.ts';
import { heardOf, Stage } from '../../support/clients/stage.ts';
import { TRANSPORTS } from '../../support/transports.ts';

const LEGACY = ['legacy stdio', 'legacy http'] as const satisfies readonly PartyKind[];

const byUrl = (elicitationId: string): ActorStep => ({
  do: 'ask',
  name: 'url',
  method: 'elicitation/create',
  params: { mode: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId },
});

const urlRequired = (elicitationId: string): ActorStep => ({
  do: 'error',
  text: JSON.stringify({
    code: -32042,
    message: 'Sign in first',
    data: { elicitations: [{ mode: 'url', message: 'Sign in', url: 'https://example.com/', elicitationId }] },
  }),
});

const complete = (elicitationId: string): ActorStep => ({
  do: 'notify',
  method: 'notifications/elicitation/complete',
  params: { elicitationId },
  isOutside: true,
});

const idsOf = (party: Party, what: (message: any) => string | undefined): string[] =>
  party.heard().flatMap((text) => what(JSON.parse(text)) ?? []);

const completedOf = (party: Party): string[] =>
  idsOf(party, ({ method, params }) =>
    method === 'notifications/elicitation/complete' ? params.elicitationId : undefined,
  );

const errorIds = (party: Party): string[] => idsOf(party, ({ error }) => error?.data?.elicitations?.[0].elicitationId);

const askedIds = (party: Party): string[] =>
  idsOf(party, ({ method, params }) => (method === 'elicitation/create' ? params.elicitationId : undefined));

const three = async (director: Director) => ({
  a: await director.entry(),
  b: await director.entry('http'),
  // Questions of a server of 2026-07-28 have no ids: the gateway makes them.
  m: await director.entry('stdio', 'modern'),
});

test.each(LEGACY)(
  'the ids of two upstreams are never the same at a client, which hears of its own: %s',
  async (kind) => {
    const stage = await Stage.open(three);
    const { director } = stage;
    const alice = await stage.connect(kind, 'Alice');
    const call = async (upstream: string, step: ActorStep) => {
      const playing = stage.begin(alice, upstream);
      await playing.arrived;
      await director.tell(playing.name, step);
      return playing;
    };
    const [ofA, ofB] = [await call('a', byUrl('1')), await call('b', byUrl('1'))];
    const ofM = await call('m', byUrl('1'));
    // The question of a server of 2026-07-28 is a result: its call comes again with the answer.
    await director.answerTo(ofM.name, 'url');
    expect(askedIds(alice)).toHaveLength(3);
    await Promise.all([ofA, ofB, ofM].map((playing) => stage.end(playing)));
    await Promise.all([(await call('b', urlRequired('2'))).outcome, (await call('a', urlRequired('2'))).outcome]);

    const ids = [...askedIds(alice), ...errorIds(alice)];
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(5);
    // The first one of a name stays as its upstream wrote it.
    expect(ids.slice(0, 2)).toEqual(['1', 'b/1']);

    for (const [playing, id] of [
      [ofA, '1'],
      [ofB, '1'],
      [ofB, '2'],
    ] as const)
      await director.tell(playing.name, complete(id));
    await expect.poll(() => completedOf(alice).sort()).toEqual(['1', '2', 'b/1']);
  },
);

test.each(TRANSPORTS)(
  'who was sent to a URL by an error hears when that is done, and nobody else: over %s',
  async (transport) => {
    const stage = await Stage.open(async (director) => ({ a: await director.entry(transport) }));
    const { director } = stage;
    const [alice, bob] = [await stage.connect('legacy stdio', 'Alice'), await stage.connect('legacy http', 'Bob')];
    const refused = async (party: Party, id: string) => {
      const playing = stage.begin(party);
      await playing.arrived;
      await director.tell(playing.name, urlRequired(id));
      expect((await playing.outcome).code).toBe(-32042);
      return playing.name;
    };
    const ofAlice = await refused(alice, 'SECRET-1');
    await director.tell(await refused(bob, 'of-bob'), complete('of-bob'));
    await director.tell(ofAlice, complete('SECRET-1'));
    await expect.poll(() => completedOf(alice)).toEqual(['SECRET-1']);
    await expect.poll(() => completedOf(bob)).toEqual(['of-bob']);
    expect(heardOf(bob, 'SECRET')).toEqual([]);

    // An id that two clients were told belongs to neither.
    await refused(alice, 'same');
    await director.tell(await refused(bob, 'same'), complete('same'));
    await director.tell(await refused(bob, 'last'), complete('last'));
    await expect.poll(() => completedOf(bob)).toEqual(['of-bob', 'last']);
    expect(completedOf(alice)).toEqual(['SECRET-1']);
  },
);
