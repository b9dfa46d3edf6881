import { hasEnded, isGone } from '../../../core/processes/owner.ts';
import { Turns } from '../../../core/timing/turns.ts';
import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { JobRow, Space } from '../../../store/knowledge/rows.ts';
import type { IndexProgress } from '../knowledge.ts';
import type { Indexer, RunRequest } from './indexer.ts';

/** The interval at which the figures of a job are written. */
const NOTE_MS = 1_000;

/** Runs that are asked about by their ids, also by other gateways. */
export class JobRunner {
  readonly #store: KnowledgeStore;
  readonly #indexer: Indexer;
  readonly #owner: string;
  readonly #turns = new Turns();
  /** Jobs of this gateway by space: those that run. */
  readonly #running = new Map<string, string>();

  constructor(store: KnowledgeStore, indexer: Indexer, owner: string) {
    this.#store = store;
    this.#indexer = indexer;
    this.#owner = owner;
  }

  /** Fails the jobs of gateways that have ended. */
  async adopt(): Promise<void> {
    for (const job of await this.#store.jobs.underWay()) {
      if (job.owner === this.#owner || (await this.#isDead(job)))
        await this.#store.jobs.end(job.id, 'failed', 'The gateway that ran it has ended: start it again');
    }
  }

  /** Jobs give no sign of life, but the run of their space does; before there is one they are judged by when they began. */
  async #isDead({ owner, space: id, createdAt, startedAt }: JobRow): Promise<boolean> {
    if (hasEnded(owner) !== undefined) return hasEnded(owner) === true;
    const space = await this.#store.spaces.byId(id);
    const sign = space?.runOwner === owner ? space.runAtMs : Date.parse(startedAt ?? createdAt);
    return isGone(owner, sign);
  }

  async start(id: string, request: RunRequest): Promise<JobRow> {
    const space = await this.#indexer.space(request);
    // If two ask at once, the second one gets the job of the first.
    const endTurn = await this.#turns.next();
    try {
      return await this.#started(id, space, request);
    } finally {
      endTurn();
    }
  }

  async #started(id: string, space: Space, request: RunRequest): Promise<JobRow> {
    const known = this.#running.get(space.id);
    const running = known === undefined ? undefined : await this.#store.jobs.find(known);
    if (running !== undefined && running.completedAt === undefined) return running;
    const isForced = request.force === true;
    await this.#store.jobs.add({ id, space: space.id, root: space.place, isForced, owner: this.#owner });
    this.#running.set(space.id, id);
    void this.#run(id, request).finally(() => {
      if (this.#running.get(space.id) === id) this.#running.delete(space.id);
    });
    return (await this.#store.jobs.find(id))!;
  }

  async #run(id: string, request: RunRequest): Promise<void> {
    const { jobs } = this.#store;
    try {
      await jobs.start(id);
      const space = await this.#indexer.space(request);
      const outcome = await this.#indexer.run(
        space,
        request.force === true,
        this.#noter(id),
        new AbortController().signal,
      );
      await jobs.note(id, outcome.filesIndexed, outcome.chunksCreated);
      const error = outcome.errors.length === 0 ? undefined : outcome.errors.join('\n');
      await jobs.end(id, outcome.status === 'failed' ? 'failed' : 'completed', error);
    } catch (thrown) {
      // If the database takes no writes the job fails when the next gateway starts.
      await jobs.end(id, 'failed', (thrown as Error).message).catch(() => undefined);
    }
  }

  #noter(id: string): (progress: IndexProgress) => void {
    let notedAt = 0;
    return ({ filesDone, chunksCreated }) => {
      if (performance.now() - notedAt < NOTE_MS) return;
      notedAt = performance.now();
      this.#store.jobs.note(id, filesDone, chunksCreated).catch(() => undefined);
    };
  }
}
