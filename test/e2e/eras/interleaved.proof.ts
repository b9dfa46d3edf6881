import { expect, onTestFinished, test } from 'vitest';
import { type ClientKind, connectClient, type EraClient, type Where } from '../../support/clients/era-clients.ts';
import { BIN, openServe, writeConfig } from '../../support/gateway.ts';
import { erasFixture, folderOfFile } from './column.ts';

const UPSTREAMS = { one: 'legacy', two: '2026-07-28', three: 'legacy' } as const;
const CALLS = 100;

/** Clients of both eras, over both transports, of one gateway. */
async function connectAll(): Promise<EraClient[]> {
  const home = folderOfFile();
  const entries = Object.entries(UPSTREAMS).map(([name, era]) => [
    name,
    { ...erasFixture(era, `--label=${name}`), era },
  ]);
  const config = writeConfig({ upstreams: Object.fromEntries(entries), lists: { graceMs: 20_000 } }, home);
  const env = { PATH: process.env.PATH!, VIADUCT_HOME: home };
  const { url } = await openServe(config, env);
  const stdio = { command: process.execPath, args: [BIN, 'stdio', '--config', config], env };
  const kinds: [ClientKind, string, Where][] = [
    ['v1', 'A', { url }],
    ['v2 pinned', 'B', { url }],
    ['v2 auto', 'C', stdio],
  ];
  return Promise.all(
    kinds.map(async ([kind, name, where]) => {
      const client = await connectClient(kind, name, where);
      onTestFinished(() => client.close());
      await client.listTools();
      return client;
    }),
  );
}

const nonceOf = (message: unknown): string | undefined => /^[ABC]-\d+$/.exec(String(message))?.[0];

test('300 interleaved calls of three clients of both eras over three upstreams, with progress and questions: everything stays with its own', async () => {
  const clients = await connectAll();
  expect(clients.map(({ isModern }) => isModern)).toEqual([false, true, true]);
  // Once it is known that calls of this tool ask, they are kept apart where the protocol does not say who is asked.
  for (const name of Object.keys(UPSTREAMS)) {
    await clients[0]!.call(`${name}_nonce`, { nonce: 'A-learn', ask: true });
  }

  const runs = clients.flatMap((client) =>
    Array.from({ length: CALLS }, async (_, index) => {
      const [nonce, ask] = [`${client.name}-${index}`, index % 10 === 0];
      const tool = `${Object.keys(UPSTREAMS)[index % 3]}_nonce`;
      const args = { nonce, ask, ms: index % 4 };
      const result = await client.call(tool, args, { onprogress: () => undefined });
      return { client, nonce, ask, text: result.content[0].text as string };
    }),
  );
  for (const { client, nonce, ask, text } of await Promise.all(runs)) {
    const answer = { action: 'accept', content: { name: `${client.name} answers ${nonce}` } };
    expect(ask ? [text.slice(0, nonce.length), JSON.parse(text.slice(nonce.length))] : text).toEqual(
      ask ? [nonce, answer] : nonce,
    );
  }

  for (const client of clients) {
    const own = Array.from({ length: CALLS }, (_, index) => `${client.name}-${index}`);
    const ticked = client.heard
      .filter(({ method }) => method === 'notifications/progress')
      .flatMap(({ params }) => nonceOf(params.message) ?? []);
    expect(new Set(ticked)).toEqual(new Set(own));
    const asked = client.asked.flatMap(({ params }) => nonceOf(params.message) ?? []);
    expect(asked.sort()).toEqual(own.filter((_, index) => index % 10 === 0).sort());
    const foreign = client.heard
      .map((message) => JSON.stringify(message))
      .filter((text) => /"[ABC]-\d+/.test(text) && !text.includes(`"${client.name}-`));
    expect(foreign).toEqual([]);
  }
});
