import { describe, expect, test } from 'vitest';
import { type ActorEvent, type Director, formAsk, rootsAsk, samplingAsk } from '../../support/clients/director.ts';
import { PARTY_KINDS, type Party } from '../../support/clients/party-clients.ts';
import { gate, Stage } from '../../support/clients/stage.ts';
import { explainIn, freshHome, statusOf } from '../../support/gateway.ts';
import { isAlive } from '../../support/processes.ts';

const stdio =
  (more: object = {}) =>
  async (director: Director): Promise<Record<string, object>> => ({ a: { ...(await director.entry()), ...more } });

/** The process that has a call, which then ends. */
async function processOf(stage: Stage, party: Party): Promise<number> {
  const call = stage.begin(party);
  const { pid } = await call.arrived;
  await stage.end(call);
  return pid;
}

async function ask(stage: Stage, party: Party, question = formAsk('who?')): Promise<number> {
  const call = stage.begin(party);
  const { pid } = await call.arrived;
  await stage.director.tell(call.name, question);
  await stage.end(call);
  return pid;
}

describe.each(PARTY_KINDS)('share: auto, clients that come by %s', (kind) => {
  // Over HTTP in the modern era a client is who it has proved to be: here all are one.
  const isOne = kind === 'modern http';

  test('one process for all until it asks one of them; from then on each new client has its own, and the others keep theirs', async () => {
    const stage = await Stage.open(stdio());
    const [alice, bob, carol] = [
      await stage.connect(kind, 'Alice'),
      await stage.connect(kind, 'Bob'),
      await stage.connect(kind, 'Carol'),
    ] as const;
    const shared = await processOf(stage, alice);
    expect(await processOf(stage, bob)).toBe(shared);
    expect(await ask(stage, alice, rootsAsk())).toBe(shared);
    expect(await ask(stage, alice)).toBe(shared);
    const own = await processOf(stage, carol);
    expect(own === shared).toBe(isOne);
    expect([await processOf(stage, alice), await processOf(stage, bob)]).toEqual([shared, shared]);
    expect(await processOf(stage, carol)).toBe(own);
  });

  test('calls of those who share a process that asks run one client at a time', async () => {
    const stage = await Stage.open(stdio({ share: 'gateway' }));
    const { director } = stage;
    const [alice, bob] = [await stage.connect(kind, 'Alice'), await stage.connect(kind, 'Bob')];
    await ask(stage, alice, samplingAsk('hm'));
    const first = stage.begin(alice);
    await first.arrived;
    await director.tell(first.name, formAsk('again?'));
    const waiting = async () => (await statusOf(stage.config, stage.serving.env)).upstreams[0].calls.waiting;
    const second = stage.begin(bob);
    await expect.poll(waiting).toBe(1);
    const third = stage.begin(alice);
    await expect.poll(waiting).toBe(2);
    const arrivals = () => director.events.filter(({ event }) => event === 'call').map(({ call }) => call);
    expect(arrivals().at(-1)).toBe(first.name);
    await stage.end(first);
    await second.arrived;
    expect(arrivals().at(-1)).toBe(second.name);
    await stage.end(second);
    await third.arrived;
    await stage.end(third);
  });
});

test('that an upstream asks is kept with its lists, and told by status and why', async () => {
  const env = freshHome();
  const stage = await Stage.open(stdio(), { env });
  const alice = await stage.connect('legacy stdio', 'Alice');
  const sharingOf = async () => (await statusOf(stage.config, env)).upstreams[0];
  expect((await sharingOf()).sharing).toMatchObject({ share: 'auto', asks: false });
  await ask(stage, alice);
  expect(await sharingOf()).toMatchObject({ sharing: { share: 'auto', asks: true }, sessions: 1 });

  // The same config with the same home, by another gateway.
  const later = freshHome({ VIADUCT_HOME: `${env.VIADUCT_HOME}` });
  const status = (await statusOf(stage.config, later)).upstreams[0];
  expect(status.sharing.detail).toContain('each has its own process or session');
  const [explanation] = await explainIn(env, stage.config, 'a_play');
  expect(explanation.detail).toContain('it has asked its clients by elicitation or sampling');
});

test('an upstream that asked in an earlier run has a process for each client from the first call on', async () => {
  const env = freshHome();
  const first = await Stage.open(stdio(), { env });
  await ask(first, await first.connect('legacy stdio', 'Alice'));

  const { director } = first;
  const alone = async (name: string) => {
    // Without a gateway that runs, each client has one of its own.
    const party = await first.connect('legacy stdio', name);
    return processOf(first, party);
  };
  const [bob, carol] = [await alone('Bob'), await alone('Carol')];
  expect(bob).not.toBe(carol);
  expect(director.pids.length).toBeGreaterThan(2);
});

test('share: session: a client has a process, which is told exactly what that client can do, and ends with it', async () => {
  const stage = await Stage.open(stdio({ share: 'session' }));
  const { director } = stage;
  const told = async (name: string, capabilities: Record<string, unknown>) => {
    const party = await stage.connect('legacy stdio', name, { capabilities });
    const pid = await processOf(stage, party);
    const isIt = (event: ActorEvent) => event.event === 'initialize' && event.pid === pid;
    return { pid, party, capabilities: (await director.saw(isIt)).capabilities };
  };
  const some = { sampling: { tools: {} }, elicitation: { url: {} } };
  const [alice, bob] = [await told('Alice', some), await told('Bob', { roots: {} })];
  expect([alice.capabilities, bob.capabilities]).toEqual([some, { roots: {} }]);
  expect(alice.pid).not.toBe(bob.pid);
  alice.party.leave();
  await expect.poll(() => isAlive(alice.pid)).toBe(false);
  expect(isAlive(bob.pid)).toBe(true);
});

test('a process that all share is told everything that a client can do', async () => {
  const stage = await Stage.open(stdio());
  const party = await stage.connect('legacy stdio', 'Alice', { capabilities: {} });
  await stage.use(party);
  expect((await stage.director.saw(({ event }) => event === 'initialize')).capabilities).toMatchObject({
    roots: { listChanged: true },
    sampling: { tools: {}, context: {} },
    elicitation: { form: {}, url: {} },
  });
});

test('share: folder: those who work in one folder share a process', async () => {
  const stage = await Stage.open(stdio({ share: 'folder' }));
  const connect = (name: string, folder: string) =>
    stage.connect('legacy stdio', name, { answers: { 'roots/list': { roots: [{ uri: `file://${folder}` }] } } });
  const [alice, bob, carol] = [
    await connect('Alice', '/one/place'),
    await connect('Bob', '/another/place'),
    await connect('Carol', '/one/place/../place'),
  ] as const;
  const [first, second, third] = [
    await processOf(stage, alice),
    await processOf(stage, bob),
    await processOf(stage, carol),
  ];
  expect(first).toBe(third);
  expect(second).not.toBe(first);
  alice.leave();
  expect(await processOf(stage, carol)).toBe(first);
  carol.leave();
  await expect.poll(() => isAlive(first)).toBe(false);
  expect(await processOf(stage, bob)).toBe(second);
});

test('a call of 2026-07-28 over HTTP does not wait behind one whose client is asked and stays away', async () => {
  const stage = await Stage.open(stdio());
  const { director } = stage;
  const answering = gate();
  const alice = await stage.connect('modern http', 'Alice', { until: answering.opened });
  const bob = await stage.connect('modern http', 'Bob');
  const ofAlice = stage.begin(alice);
  const { pid } = await ofAlice.arrived;
  director.begin(ofAlice.name, formAsk('SECRET', 'form'));
  await expect.poll(() => alice.heard().some((text) => text.includes('SECRET'))).toBe(true);
  expect(await ask(stage, bob)).not.toBe(pid);
  answering.open();
  expect(JSON.stringify(await director.answerTo(ofAlice.name, 'form'))).toContain('Alice answers');
  await stage.end(ofAlice);
  expect(await ask(stage, bob)).toBe(pid);
  expect(bob.heard().filter((text) => text.includes('SECRET'))).toEqual([]);
});
