import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handedOn, SHAPES, type Shape } from '../../../fixtures/data/shapes.ts';
import { type RawClient, type SpawnedClient, spawnClient } from '../../support/clients/raw-client.ts';
import { removeFolder } from '../../support/folders.ts';
import { BIN, linesOf, writeConfig } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';
import { type Reached, reach, TRANSPORTS } from '../../support/transports.ts';

/** A result of 2026-07-28 as a legacy client gets it. */
const asLegacy = (json: string): string =>
  json
    .replace(/"resultType":"complete",?/, '')
    .replace(/"structuredContent":(\[[^\]]*\]|\d+)/, '"structuredContent":{"result":$1}');

/** Streamable HTTP of the modern era has tests of its own: its requests are more than a line. */
const ERAS = [
  { era: 'legacy', names: TRANSPORTS },
  { era: 'modern', names: TRANSPORTS.filter((name) => name !== 'http') },
] as const;

let nonces = 0;
const nextNonce = () => `nonce_${++nonces}`;

describe.each(ERAS)('the same server of the $era era, behind one gateway', ({ era, names }) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-ways-'));
  const reached = new Map<string, Reached>();
  let gateway: SpawnedClient;
  let client: RawClient;

  const logOf = (name: string): string => path.join(folder, `${name}.log`);

  beforeAll(async () => {
    const reachOne = async (name: (typeof TRANSPORTS)[number]) => {
      const flags = [`--era=${era}`, `--label=${name}`, `--log=${logOf(name)}`];
      reached.set(name, await reach(name, { folder, flags }));
    };
    await Promise.all(names.map(reachOne));
    const upstreams = Object.fromEntries([...reached].map(([name, { entry }]) => [name, entry]));
    const config = writeConfig({ upstreams, lists: { graceMs: 20_000 } }, folder);
    gateway = spawnClient(process.execPath, [BIN, 'stdio', '--config', config], {
      ...process.env,
      VIADUCT_HOME: folder,
    });
    client = gateway.client;
    client.answers.set('elicitation/create', ({ message }) => ({ action: 'accept', content: { name: message } }));
    await client.initialize({ elicitation: {} });
    await client.toolNames();
  });

  afterAll(async () => {
    await endChild(gateway.child);
    await Promise.all([...reached.values()].map((one) => one.stop()));
    removeFolder(folder);
  });

  describe.each(names)('over %s', (name) => {
    const seen = () => linesOf(logOf(name));
    const called = (tool: string) => `${name}_${tool}`;
    const ticksOf = (nonce: string) =>
      client
        .notifications('notifications/progress')
        .filter(({ value }) => value.params.message === nonce)
        .map(({ value }) => value.params.progress);
    const callWithProgress = (tool: string, nonce: string) =>
      client.request('tools/call', {
        name: called(tool),
        arguments: { steps: 3, nonce },
        _meta: { progressToken: nonce },
      });

    test('connect, list, call: what is read is what was written', async () => {
      expect(await client.toolNames()).toContain(called('echo'));
      expect(await client.callText(called('echo'), { text: 'größe 😀\n' })).toBe(`${name}: größe 😀\n`);
    });

    test('every shape of a result arrives byte for byte', async () => {
      const answerOf = async ({ name: shape }: Shape) => {
        const params = { name: called('shape'), arguments: { name: shape } };
        return (await client.request('tools/call', params, `"${name} ${shape}"`)).text;
      };
      const expected = SHAPES.map((shape) => {
        const passed = handedOn(shape, era);
        const body = era === 'modern' ? asLegacy(passed) : passed;
        return `{"jsonrpc":"2.0","id":"${name} ${shape.name}","${shape.outcome}":${body}}`;
      });
      // One client knows all these servers, and they use one id: it is told apart.
      const answers = (await Promise.all(SHAPES.map(answerOf))).map((text) => text.replace(`"${name}/e1"`, '"e1"'));
      expect(answers).toEqual(expected);
    });

    test('progress reaches the caller while the call is open', async () => {
      const nonce = nextNonce();
      const call = callWithProgress('progress', nonce);
      await expect.poll(() => ticksOf(nonce)).toEqual([1, 2, 3]);
      await client.callText(called('release'), { nonce });
      expect((await call).value.result.content[0].text).toBe(`progressed ${nonce}`);
    });

    test('progress stays in front of an answer that was sent in one piece with it', async () => {
      const nonce = nextNonce();
      await callWithProgress('burst', nonce);
      expect(ticksOf(nonce)).toEqual([1, 2, 3]);
    });

    test('a cancelled call is cancelled there, and others go on', async () => {
      const [nonce, other] = [nextNonce(), nextNonce()];
      const wait = (which: string) =>
        client.request('tools/call', { name: called('wait'), arguments: { nonce: which } }, `"${which}"`);
      void wait(nonce).catch(() => undefined);
      const goesOn = wait(other);
      await expect.poll(seen).toEqual(expect.arrayContaining([`waiting ${nonce}`, `waiting ${other}`]));
      client.notify('notifications/cancelled', { requestId: nonce });
      await expect.poll(seen).toContain(`cancelled ${nonce}`);
      await client.callText(called('release'), { nonce: other });
      expect((await goesOn).value.result.content[0].text).toBe(`waited ${other}`);
    });

    test('a question of the server is answered by the client', async () => {
      const nonce = nextNonce();
      const text = await client.callText(called('elicit'), { text: nonce });
      expect(JSON.parse(text)).toEqual({ action: 'accept', content: { name: nonce } });
    });

    test('changed lists are announced and read again', async () => {
      const tool = nextNonce();
      await client.callText(called('grow'), { name: tool });
      await expect.poll(() => client.toolNames()).toContain(called(tool));
      expect(await client.callText(called(tool))).toBe(`grown ${tool}`);
      await client.callText(called('shrink'), { name: tool });
      await expect.poll(() => client.toolNames()).not.toContain(called(tool));
    });

    test('a connection that is lost fails the calls on it at once, and comes back', async () => {
      const nonce = nextNonce();
      const pending = client.callText(called('wait'), { nonce });
      await expect.poll(seen).toContain(`waiting ${nonce}`);
      await client.request('tools/call', { name: called('exit'), arguments: {} });
      expect(await pending).toContain('It is unknown whether the call took effect');
      await reached.get(name)!.comeBack();
      await expect.poll(() => client.callText(called('echo'), { text: 'back' })).toBe(`${name}: back`);
    });
  });
});
