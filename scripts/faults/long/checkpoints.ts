import { openCheckpointStore } from '../../../src/store/checkpoints/open-checkpoint-store.ts';
import { openDatabase } from '../../../src/store/database/database.ts';
import { type Place, writeUntilKilled } from '../../../test/support/stores/checkpoint-writers.ts';
import { onEachDatabase } from './on-each-database.ts';

/** A kill comes at some moment within so many milliseconds after the first write. */
const KILLED_WITHIN_MS = 60;
const WRITERS = 2;

export interface CheckpointOutcome {
  readonly name: string;
  readonly rounds: number;
  readonly acknowledged: number;
  readonly problems: readonly string[];
}

/** Processes that write are killed, round after round; then everything that was acknowledged must be there. */
export function killWriters(
  rounds: number,
  onRound: (name: string, round: number) => void,
): Promise<CheckpointOutcome[]> {
  return onEachDatabase((name, place) => killAt(name, place, rounds, onRound));
}

async function killAt(
  name: string,
  place: Place,
  rounds: number,
  onRound: (name: string, round: number) => void,
): Promise<CheckpointOutcome> {
  const acknowledged = new Set<string>();
  const problems: string[] = [];
  for (let round = 1; round <= rounds; round++) {
    const killed = Array.from({ length: WRITERS }, (_, writer) =>
      writeUntilKilled(
        place,
        { project: `p${round % 7}`, name: `r${round}-${writer}`, count: 0, atOnce: 3 },
        Math.random() * KILLED_WITHIN_MS,
      ),
    );
    for (const item of (await Promise.all(killed)).flat()) acknowledged.add(`p${round % 7} ${item}`);
    problems.push(...(await missing(place, acknowledged)).map((problem) => `round ${round}: ${problem}`));
    onRound(name, round);
  }
  return { name, rounds, acknowledged: acknowledged.size, problems };
}

async function missing(place: Place, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const database = openDatabase(place);
  const store = openCheckpointStore({ database });
  try {
    const stored = new Set<string>();
    for (const { projectId } of await store.projects()) {
      const items = ((await store.load(projectId))?.bundle.items ?? []) as string[];
      if (new Set(items).size !== items.length) return [`${projectId} has an item twice`];
      for (const item of items) stored.add(`${projectId} ${item}`);
    }
    return [...acknowledged].filter((item) => !stored.has(item)).map((item) => `${item} was acknowledged and is gone`);
  } catch (error) {
    return [`the store does not open: ${String(error)}`];
  } finally {
    await store.close();
    await database.close();
  }
}
