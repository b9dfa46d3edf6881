import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLIENT_KINDS, type ClientKind, connectClient, type Where } from '../../support/clients/era-clients.ts';
import type { AtEnd } from '../../support/shared.ts';
import { ASK_ROWS } from './ask-rows.ts';
import { CALL_ROWS } from './call-rows.ts';
import { CHANGE_ROWS } from './change-rows.ts';
import { type Column, column, type UpstreamEra } from './column.ts';
import { PLAIN_ROWS, type Row } from './plain-rows.ts';

const ROWS: readonly Row[] = [...PLAIN_ROWS, ...CALL_ROWS, ...ASK_ROWS, ...CHANGE_ROWS];

/** Where the clients of a group of columns find their server. */
export interface Site extends Pick<Column, 'upstreamEra' | 'named' | 'shown' | 'exit' | 'comesBack'> {
  readonly log: string;
  readonly where: Where;
}

export interface Group {
  readonly upstreamEra: UpstreamEra;
  readonly clients?: readonly ClientKind[];
  /** Builds what the client of this kind needs, or gives what was built for another one. */
  readonly site: (kind: ClientKind, atEnd: AtEnd) => Promise<Site>;
  /** The era that a client must find out to be that of its server. */
  readonly eraFor: (kind: ClientKind) => 'legacy' | 'modern';
}

/** Every row for each kind of client. */
export function tryAll({ clients = CLIENT_KINDS, site, eraFor }: Group): void {
  const ends: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });

  describe.each(clients)('client: %s', (kind) => {
    let tried: Column;

    beforeAll(async () => {
      const { where, ...rest } = await site(kind, (end) => ends.push(end));
      const client = await connectClient(kind, `${kind} client`, where);
      ends.push(() => client.close());
      await client.listTools();
      tried = column({ client, ...rest });
    });

    test('speaks in the era it should', () => {
      expect(tried.client.isModern).toBe(eraFor(kind) === 'modern');
    });

    for (const [name, run] of ROWS) test(name, () => run(tried));
  });
}

/** What every client must find at the gateway, which speaks both eras: its own. */
export function ownEra(kind: ClientKind): 'legacy' | 'modern' {
  return kind === 'v2 auto' || kind === 'v2 pinned' ? 'modern' : 'legacy';
}
