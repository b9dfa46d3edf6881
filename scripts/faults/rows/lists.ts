import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  LIST_NAMES,
  type ListName,
  STREAM_FAILURES,
  type StreamFailure,
} from '../../../fixtures/lists/failing-lists.ts';
import { assertThat, statusOf } from '../expect.ts';
import { type Fault, quick } from '../fault.ts';
import { type Entry, type Scene, until } from '../scene.ts';

const WORDS: Readonly<Record<StreamFailure, string>> = {
  error: 'answers {list} with an error',
  broken: 'answers {list} with broken JSON',
  oversized: 'answers {list} with more than limits.frameBytes',
  silent: 'never answers {list}',
  closed: 'exits whenever it is asked for {list}',
};

/** With defaults, lists heal in seconds, and those that end the connection in half a minute. */
const HEALS_MS = 40_000;

function failing(
  scene: Scene,
  list: ListName,
  failure: StreamFailure,
): { readonly entry: Entry; readonly heal: () => void } {
  const well = path.join(scene.folder, 'well');
  const flags = [`--list=${list}`, `--failure=${failure}`, `--well=${well}`, '--label=bad'];
  const entry = scene.fixture('failing-lists', flags, { era: 'legacy', timeouts: { listMs: 2_000 } });
  return { entry, heal: () => writeFileSync(well, '') };
}

const oneList = (list: ListName, failure: StreamFailure): Fault => ({
  id: `F-list-${failure}-${list.replaceAll('/', '-')}`,
  what: `An upstream ${WORDS[failure].replace('{list}', list)} until it is well`,
  holds: 'Its other lists are there, the status says which fails and how, and it is there within 40 s of being well',
  limitMs: 120_000,
  async run(scene) {
    const { entry, heal } = failing(scene, list, failure);
    const config = scene.config({ upstreams: { bad: entry }, limits: { frameBytes: 100_000 } });
    await scene.serve(config);
    const { client } = await scene.stdio(config);
    const listedNow = async (): Promise<readonly ListName[]> => {
      const answers = await Promise.all(LIST_NAMES.map(async (name) => (await client.request(name)).value.result));
      return LIST_NAMES.filter((_name, index) => Object.values(answers[index]!).flat().length > 0);
    };
    const others = LIST_NAMES.filter((name) => name !== list).join();
    await until('the others are there', async () => (await listedNow()).join() === others, HEALS_MS);
    await until(
      'the status says which fails',
      async () => String((await statusOf(scene, config)).reason).includes(list),
      HEALS_MS,
    );
    heal();
    await until('it is there', async () => (await listedNow()).length === LIST_NAMES.length, HEALS_MS);
    await until('it is ready', async () => (await statusOf(scene, config)).state === 'ready');
    assertThat('no reason is left', (await statusOf(scene, config)).reason === undefined);
    assert.equal(await client.callText('bad_tool'), 'called');
  },
});

/** Each failure with the list of tools, and with one of the others: tests have the whole table, over every transport. */
export const LIST_FAULTS: readonly Fault[] = STREAM_FAILURES.flatMap((failure, index) => [
  oneList('tools/list', failure),
  failure === 'error' ? quick(oneList('prompts/list', failure)) : oneList(LIST_NAMES[1 + (index % 3)]!, failure),
]);
