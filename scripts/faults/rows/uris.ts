import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RawClient } from '../../../test/support/clients/raw-client.ts';
import type { Fault } from '../fault.ts';
import { type Scene, until } from '../scene.ts';

const SHARED = 'file:///notes.txt';

const entry = (scene: Scene, label: string) =>
  scene.fixture('pointers', [`--label=${label}`, `--log=${scene.logFile(label)}`], { era: 'legacy' });

const urisOf = async (client: RawClient): Promise<string[]> =>
  (await client.request('resources/list')).value.result.resources.map(({ uri }: { uri: string }) => uri);

/** The text of a resource, or the words of the error. */
async function read(client: RawClient, uri: string): Promise<string> {
  const { result, error } = (await client.request('resources/read', { uri })).value;
  return error?.message ?? result.contents[0].text;
}

async function bothListed(client: RawClient): Promise<void> {
  await until('both have listed their resources', async () => (await urisOf(client)).length === 16);
}

/** `b` owns what both list: it was there alone before. */
async function afterRunOfB(scene: Scene): Promise<void> {
  const alone = await scene.stdio({ b: entry(scene, 'b') });
  await until('b has listed its resources', async () => (await urisOf(alone.client)).includes(SHARED));
  alone.client.end();
}

const SHARED_URIS: Fault = {
  id: 'F-same-uris',
  what: 'Two upstreams have the same uris; the second comes later, the owner is killed again and again',
  holds: 'Each uri leads to its own upstream before, meanwhile and afterwards; none ever leads to the other',
  async run(scene) {
    await afterRunOfB(scene);
    const { client } = await scene.stdio({ a: entry(scene, 'a'), b: entry(scene, 'b') });
    await bothListed(client);
    // Its list is there before it is: from the last run.
    await until('b is there', async () => (await read(client, SHARED)) === `b has ${SHARED}`);
    const wrong: string[] = [];
    const pids = () => scene.pidsIn(scene.logFile('b'));
    for (let round = 0; round < 3; round++) {
      const before = pids();
      process.kill(before.at(-1)!, 'SIGKILL');
      await until('b is there again', async () => {
        for (const [uri, owner] of [
          [SHARED, 'b'],
          [`viaduct://a/${SHARED}`, 'a'],
          ['memo://a/one', 'a'],
          ['memo://b/one', 'b'],
        ] as const) {
          const text = await read(client, uri);
          if (text.includes(' has ') && !text.startsWith(`${owner} has`)) wrong.push(`${uri}: ${text}`);
        }
        return pids().length > before.length && (await read(client, SHARED)) === `b has ${SHARED}`;
      });
    }
    assert.deepEqual(wrong, []);
  },
};

const DAMAGED_URIS: Fault = {
  id: 'L-damaged-uris',
  what: 'The file with the owners of uris is cut off in a line, and in another run is no such file at all',
  holds: 'Owners before the cut stay; the foreign file is put aside, and everything works',
  async run(scene) {
    await afterRunOfB(scene);
    const folder = path.join(scene.home, 'uris');
    const file = path.join(folder, readdirSync(folder)[0]!);
    writeFileSync(file, '{"key":"a","ur', { flag: 'a' });
    const second = await scene.stdio({ a: entry(scene, 'a'), b: entry(scene, 'b') });
    await bothListed(second.client);
    assert.equal(await read(second.client, SHARED), `b has ${SHARED}`);
    second.client.end();
    writeFileSync(file, 'no such file');
    const third = await scene.stdio({ a: entry(scene, 'a'), b: entry(scene, 'b') });
    await bothListed(third.client);
    assert.match(await read(third.client, SHARED), /^[ab] has file/);
    assert.equal(readdirSync(folder).filter((name) => name.includes('.corrupt-')).length, 1);
  },
};

export const URI_FAULTS: readonly Fault[] = [SHARED_URIS, DAMAGED_URIS];
