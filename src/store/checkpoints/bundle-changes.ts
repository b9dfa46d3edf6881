import { parseExactJson } from '../../core/json/exact-json.ts';
import type { BundleAppender, BundleChanger, ChangeFacts, StoredBundle } from '../../core/stores/checkpoint-store.ts';
import { TurnsByKey } from '../../core/timing/turns-by-key.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import type { UnderWay } from '../database/under-way.ts';
import { insertAddition } from './additions.ts';
import type { ChangeFeed } from './change-feed.ts';
import {
  dropBeyond,
  lockHead,
  type NextRevision,
  newHead,
  noteChange,
  putKept,
  replaceHead,
  writeNext,
  writeNextIn,
} from './checkpoint-rows.ts';
import { foldAdditions } from './fold-additions.ts';
import { objectText } from './member-texts.ts';
import { type Outline, outlineOf, withAddition } from './outline.ts';
import { pack, packQuickly } from './packed.ts';
import { bundleOf, type Newest, readNewest, readNewestIn, toStored } from './read-bundle.ts';
import { keepRevision } from './revisions.ts';
import { parsed, textsOf } from './turns-of-work.ts';

/** So many additions are put into the stored text together: that costs as much as one change of the whole bundle. */
const FOLD_EVERY = 256;
/** The number of times that other processes may be faster; then they wait until this change is made. */
const MAX_OVERTAKEN = 3;

export interface BundleChangesOptions {
  readonly database: Database;
  readonly feed: ChangeFeed;
  readonly underWay: UnderWay;
  /** The number of revisions of a project to keep. */
  readonly keep: number;
}

interface Updated<T> {
  readonly stored: StoredBundle;
  readonly outcome: T;
}

/** A change that was worked out; `next` is missing if nothing changes. */
interface Prepared<T> {
  readonly next?: NextRevision;
  readonly updated: () => Updated<T> | Promise<Updated<T>>;
}

interface Done<T> extends Prepared<T> {
  /** The number of the change, where the database numbers them; missing if nothing was written. */
  readonly written?: { readonly seq?: number };
}

/** Makes new revisions of bundles: one after the other in this process, and without loss beside other processes. */
export class BundleChanges {
  readonly #options: BundleChangesOptions;
  /** One change of a project after the other: two of one process need not overtake each other. */
  readonly #turns = new TurnsByKey();

  constructor(options: BundleChangesOptions) {
    this.#options = options;
  }

  /** Makes the next revision out of the newest one. */
  update<T>(projectId: string, facts: ChangeFacts, change: BundleChanger<T>): Promise<Updated<T>> {
    return this.#inTurn(projectId, () => this.#update(projectId, facts, change));
  }

  /** Makes the next revision by an addition. */
  append<T>(projectId: string, facts: ChangeFacts, appender: BundleAppender<T>): Promise<T> {
    return this.#inTurn(projectId, async () => {
      const added = await this.#options.database.run((engine) => this.#add(engine, projectId, facts, appender));
      if (added === undefined) return (await this.#update(projectId, facts, appender.change)).outcome;
      this.#options.feed.onOwnChange(projectId, added.seq);
      if (added.revision % FOLD_EVERY === 0) this.#foldLater(projectId);
      return added.outcome;
    });
  }

  #inTurn<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    return this.#options.underWay.add(this.#turns.run(projectId, work));
  }

  async #update<T>(projectId: string, facts: ChangeFacts, change: BundleChanger<T>): Promise<Updated<T>> {
    const { database } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const isLate = attempt >= MAX_OVERTAKEN;
      const done = isLate
        ? await database.run((engine) => this.#updateAlone(engine, projectId, facts, change))
        : await this.#tryToUpdate(projectId, facts, change);
      if (done === undefined) continue;
      if (done.written !== undefined) this.#options.feed.onOwnChange(projectId, done.written.seq);
      return done.updated();
    }
  }

  /** Resolves to nothing if another process was faster. */
  async #tryToUpdate<T>(projectId: string, facts: ChangeFacts, change: BundleChanger<T>): Promise<Done<T> | undefined> {
    const { database } = this.#options;
    const prepared = await this.#prepare(projectId, facts, await readNewest(database, projectId), change);
    const { next } = prepared;
    if (next === undefined) return prepared;
    const written = await database.run((engine) => writeNext(engine, next));
    return written && { ...prepared, written };
  }

  /** Other processes wait meanwhile: appends are fast, and could overtake the change of a large bundle for ever. */
  #updateAlone<T>(
    engine: Engine,
    projectId: string,
    facts: ChangeFacts,
    change: BundleChanger<T>,
  ): Promise<Done<T> | undefined> {
    return engine.queries.transaction().execute(async (queries) => {
      await lockHead(engine, queries, projectId);
      const prepared = await this.#prepare(projectId, facts, await readNewestIn(queries, projectId), change);
      const { next } = prepared;
      return next === undefined ? prepared : { ...prepared, written: await writeNextIn(engine, queries, next) };
    });
  }

  async #prepare<T>(
    projectId: string,
    facts: ChangeFacts,
    newest: Newest | undefined,
    change: BundleChanger<T>,
  ): Promise<Prepared<T>> {
    const head = newest?.head;
    const bundle = newest && (await bundleOf(newest));
    // Before `change`, which may well work in the object that it is given.
    const members = bundle && (await textsOf(bundle));
    const { bundle: changed, note, outcome } = await change(bundle);
    if (head !== undefined && changed === bundle)
      return { updated: () => ({ stored: toStored(head, changed), outcome }) };
    const following = await textsOf(changed);
    const text = objectText(following);
    const next = newHead(projectId, (head?.revision ?? 0) + 1, facts, note && outlineOf(note, following));
    const revision: NextRevision = {
      next,
      body: await packQuickly(text),
      before: head && { head, kept: await keepRevision(head.revision, members!, following) },
      keep: this.#options.keep,
      word: this.#options.feed.wordFor(projectId),
    };
    return { next: revision, updated: async () => ({ stored: toStored(next, await parsed(text)), outcome }) };
  }

  /** Resolves to nothing if what is known of the bundle does not tell what the addition is. */
  #add<T>(engine: Engine, projectId: string, facts: ChangeFacts, { addition: make }: BundleAppender<T>) {
    return engine.queries.transaction().execute(async (queries) => {
      const head = await lockHead(engine, queries, projectId);
      const outline = head?.outline && (parseExactJson(head.outline) as Outline);
      if (!head || !outline) return undefined;
      const addition = make(outline.note);
      const extended = addition && withAddition(outline, addition);
      if (!addition || !extended) return undefined;
      const next = newHead(projectId, head.revision + 1, facts, extended.outline);
      await replaceHead(queries, next);
      await insertAddition(queries, projectId, next.revision, addition);
      await putKept(queries, head, { form: 'step', body: await pack(JSON.stringify(extended.back)) });
      await dropBeyond(queries, next, this.#options.keep);
      const { seq } = await noteChange(engine, queries, projectId, this.#options.feed.wordFor(projectId));
      return { seq, revision: next.revision, outcome: addition.outcome };
    });
  }

  /** Puts additions into the stored text. If it fails now, the next additions try again. */
  #foldLater(projectId: string): void {
    const { database, underWay } = this.#options;
    underWay.add(foldAdditions(database, projectId)).catch(() => undefined);
  }
}
