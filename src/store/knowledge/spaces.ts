import { randomUUID } from 'node:crypto';
import { keyOf } from '../database/values.ts';
import { spaceRow } from './read-rows.ts';
import type { Space, SpaceKind } from './rows.ts';
import { type KnowledgeSql, one } from './sql.ts';
import type { TermsIndex } from './terms-index.ts';

/** Files that go at once when a space is removed, so that no other work waits for long. */
const GONE_AT_ONCE = 200;

/** Repositories of this machine, and collections. */
export interface Spaces {
  list(kind: SpaceKind): Promise<readonly Space[]>;
  /** By its root or name. */
  at(kind: SpaceKind, place: string): Promise<Space | undefined>;
  byId(id: string): Promise<Space | undefined>;
  /** Returns the one of this place, which is made if need be. */
  make(kind: SpaceKind, place: string, name: string): Promise<{ readonly space: Space; readonly isNew: boolean }>;
  rename(space: number, name: string): Promise<void>;
  /** Notes that all of it is in the index in this form. */
  finish(space: number, form: number): Promise<void>;
  remove(space: Space): Promise<void>;
}

/** Collections belong to the database, not to a machine. */
const machineOf = (kind: SpaceKind, machine: string): string => (kind === 'repository' ? machine : '');

export function spacesIn(sql: KnowledgeSql, terms: TermsIndex, machine: string): Spaces {
  const at = async (kind: SpaceKind, place: string) => {
    const row = await one(
      sql,
      'select * from knowledge_spaces where kind = ? and machine = ? and place_key = ?',
      kind,
      machineOf(kind, machine),
      keyOf(place),
    );
    return row && spaceRow(row);
  };
  return {
    at,
    list: async (kind) => {
      const rows = await sql.all(
        'select * from knowledge_spaces where kind = ? and machine = ?',
        kind,
        machineOf(kind, machine),
      );
      return rows.map(spaceRow).sort((one, other) => (one.place < other.place ? -1 : 1));
    },
    byId: async (id) => {
      const row = await one(sql, 'select * from knowledge_spaces where id = ?', id);
      return row === undefined || !['', machine].includes(row.machine as string) ? undefined : spaceRow(row);
    },
    make: async (kind, place, name) => {
      const known = await at(kind, place);
      if (known !== undefined) return { space: known, isNew: false };
      const isNew = await insert(sql, [kind, machineOf(kind, machine), keyOf(place), place, name]);
      return { space: (await at(kind, place))!, isNew };
    },
    rename: async (space, name) => {
      await sql.transaction((within) =>
        within.all('update knowledge_spaces set name = ? where number = ?', name, space),
      );
    },
    finish: async (space, form) => {
      await sql.transaction((within) =>
        within.all(
          'update knowledge_spaces set form = ?, indexed_at = ? where number = ?',
          form,
          new Date().toISOString(),
          space,
        ),
      );
    },
    remove: (space) => remove(sql, terms, space),
  };
}

function insert(sql: KnowledgeSql, facts: readonly string[]): Promise<boolean> {
  return sql.transaction(async (within) => {
    const made = await within.all(
      `insert into knowledge_spaces (kind, machine, place_key, place, name, id, created_at, form)
       values (?, ?, ?, ?, ?, ?, ?, 0) on conflict do nothing returning number`,
      ...facts,
      randomUUID(),
      new Date().toISOString(),
    );
    return made.length > 0;
  });
}

async function remove(sql: KnowledgeSql, terms: TermsIndex, { number }: Space): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    isLeft = await sql.transaction(async (within) => {
      // Locks the row if needed: a writer to the space has ended, or finds it gone.
      await within.all('update knowledge_spaces set kind = kind where number = ?', number);
      const rows = await within.all(
        `select number from knowledge_sources where space = ? limit ${GONE_AT_ONCE}`,
        number,
      );
      await terms.removeSources(
        within,
        rows.map((row) => row.number as number),
      );
      if (rows.length === 0) await within.all('delete from knowledge_spaces where number = ?', number);
      return rows.length > 0;
    });
  }
}
