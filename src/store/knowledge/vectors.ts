import { type KnowledgeSql, one, type SqlRow, type SqlValue } from './sql.ts';

/** The vectors that are compared with each other. */
export interface VectorKind {
  readonly model: string;
  /** Their length; `undefined` for any. */
  readonly dimensions: number | undefined;
}

/** A text that is to have a vector. */
export interface BareText {
  readonly text: number;
  readonly isPacked: boolean;
  readonly body: Uint8Array;
}

export interface TextVector {
  readonly text: number;
  /** 32-bit floats, little-endian. */
  readonly body: Uint8Array;
}

/** A vector of a text that is known by its hash. */
export interface HashVector {
  readonly textHash: Uint8Array;
  readonly model: string;
  readonly body: Uint8Array;
}

/** Vectors belong to texts: equal texts share them. */
export interface Vectors {
  /** Numbers of the texts of a space that have no vector of a kind. */
  missing(space: number, kind: VectorKind): Promise<readonly number[]>;
  /** Texts by their numbers; those that are gone are left out. */
  bodies(texts: readonly number[]): Promise<readonly BareText[]>;
  /** Replaces the vectors that the texts have of the model. */
  put(model: string, vectors: readonly TextVector[]): Promise<void>;
  /** Returns a word that changes whenever the vectors of a space may have changed. */
  mark(space: number): Promise<string>;
  /** Texts of a space, equal ones once. */
  texts(space: number): Promise<number>;
  /** Returns the models of the vectors of a space, and the number of vectors of each. */
  models(space: number): Promise<readonly { readonly model: string; readonly count: number; readonly bytes: number }[]>;
  /** Numbers of the texts of a space that have a vector of the model. */
  textsWith(space: number, model: string): Promise<readonly number[]>;
  /** Vectors of the model by the numbers of their texts, in no order. */
  among(model: string, texts: readonly number[]): Promise<readonly TextVector[]>;
  /** Chunks of a space by the numbers of their texts. */
  chunksWith(
    space: number,
    texts: readonly number[],
  ): Promise<readonly { readonly id: number; readonly text: number }[]>;
}

/** Size of one number in a vector, in bytes. */
const BYTES = 4;
/** Databases take some ten thousand. */
const MOST_PARAMETERS = 1_000;

/** Selects the texts of a space, each once. */
const TEXTS = `select distinct c.text from knowledge_chunks c join knowledge_sources s on s.number = c.source
  where s.space = ?`;

export function vectorsIn(sql: KnowledgeSql): Vectors {
  return {
    missing: async (space, { model, dimensions }) => {
      const lengthIs = dimensions === undefined ? '' : ' and length(v.body) = ?';
      const rows = await sql.all(
        `select own.text from (${TEXTS}) as own
         where not exists (select 1 from knowledge_vectors v where v.model = ? and v.text = own.text${lengthIs})`,
        space,
        model,
        ...(dimensions === undefined ? [] : [dimensions * BYTES]),
      );
      return rows.map(({ text }) => text as number);
    },
    bodies: async (texts) => {
      const rows = await inParts(texts, (part) =>
        sql.all(`select number, is_packed, body from knowledge_texts where number in (${marks(part)})`, ...part),
      );
      return rows.map(({ number, is_packed, body }) => ({
        text: number as number,
        isPacked: is_packed === 1,
        body: body as Uint8Array,
      }));
    },
    put: (model, vectors) => sql.transaction((within) => put(within, model, vectors)),
    mark: async (space) => {
      const row = await one(
        sql,
        `select chunks, terms, (select coalesce(max(number), 0) from knowledge_vectors) as newest
         from knowledge_spaces where number = ?`,
        space,
      );
      return JSON.stringify(row ?? null);
    },
    texts: async (space) => (await one(sql, `select count(*) as total from (${TEXTS}) as own`, space))!.total as number,
    models: async (space) => {
      const rows = await sql.all(
        `select v.model, count(*) as total, max(length(v.body)) as bytes from (${TEXTS}) as own
         join knowledge_vectors v on v.text = own.text group by v.model order by total desc, v.model`,
        space,
      );
      return rows.map(({ model, total, bytes }) => ({
        model: model as string,
        count: total as number,
        bytes: bytes as number,
      }));
    },
    textsWith: async (space, model) => {
      const rows = await sql.all(
        `select own.text from (${TEXTS}) as own join knowledge_vectors v on v.text = own.text and v.model = ?`,
        space,
        model,
      );
      return rows.map(({ text }) => text as number);
    },
    among: async (model, texts) => {
      const rows = await inParts(texts, (part) =>
        sql.all(
          `select text, body from knowledge_vectors where model = ? and text in (${marks(part)})`,
          model,
          ...part,
        ),
      );
      return rows.map(({ text, body }) => ({ text: text as number, body: body as Uint8Array }));
    },
    chunksWith: (space, texts) => chunksWith(sql, space, texts),
  };
}

/** A text may have gone meanwhile. Vectors that are replaced get new numbers, by which `mark` tells that they changed. */
async function put(sql: KnowledgeSql, model: string, vectors: readonly TextVector[]): Promise<void> {
  if (vectors.length === 0) return;
  await sql.all(
    `delete from knowledge_vectors where model = ? and text in (${marks(vectors)})`,
    model,
    ...vectors.map(({ text }) => text),
  );
  for (const { text, body } of vectors) {
    await sql.all(
      `insert into knowledge_vectors (text, model, body)
       select number, ?, ? from knowledge_texts where number = ?
       on conflict (model, text) do update set body = excluded.body`,
      ...([model, body, text] satisfies SqlValue[]),
    );
  }
}

/** Part of a transaction. */
export async function putByHash(sql: KnowledgeSql, vectors: readonly HashVector[]): Promise<void> {
  for (const { textHash, model, body } of vectors) {
    const row = await one(sql, 'select number from knowledge_texts where hash = ?', textHash);
    await put(sql, model, [{ text: row!.number as number, body }]);
  }
}

async function chunksWith(sql: KnowledgeSql, space: number, texts: readonly number[]) {
  const rows = await inParts(texts, (part) =>
    sql.all(
      `select c.id, c.text from knowledge_chunks c join knowledge_sources s on s.number = c.source
       where s.space = ? and c.text in (${marks(part)})`,
      space,
      ...part,
    ),
  );
  return rows.map(({ id, text }) => ({ id: id as number, text: text as number }));
}

async function inParts(
  numbers: readonly number[],
  read: (part: readonly number[]) => Promise<readonly SqlRow[]>,
): Promise<readonly SqlRow[]> {
  const rows: SqlRow[] = [];
  for (let at = 0; at < numbers.length; at += MOST_PARAMETERS)
    for (const row of await read(numbers.slice(at, at + MOST_PARAMETERS))) rows.push(row);
  return rows;
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
