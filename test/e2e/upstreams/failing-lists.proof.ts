import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Accept, Listening } from '../../../fixtures/channels/channel.ts';
import { listenTcp, listenUnix } from '../../../fixtures/channels/sockets.ts';
import { listenWebSocket } from '../../../fixtures/channels/websocket.ts';
import { failingLists, LIST_NAMES, type ListName, STREAM_FAILURES } from '../../../fixtures/lists/failing-lists.ts';
import { attach } from '../../../fixtures/servers/kit.ts';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { connectStdio, fixture, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { HTTP_FAILURE_NAMES, startFailingHttp } from '../../support/http/failing-http.ts';

/** Short, so that whole tables of servers heal while somebody watches. */
const TIMEOUTS = { listMs: 400, listPauseMs: 300 };
const PATIENCE = { timeout: 60_000, interval: 100 };

/** A server of which one list fails, as an entry of the config. */
interface Case {
  readonly list: ListName;
  readonly failure: string;
  readonly entry: object;
}

interface Table {
  /** By key in the config. */
  readonly cases: ReadonlyMap<string, Case>;
  heal(): void;
}

type Row = readonly [list: ListName, failure: string];

async function tableOf<T extends Row>(
  rows: readonly T[],
  entryOf: (row: T, label: string) => object | Promise<object>,
  heal: () => void,
): Promise<Table> {
  const cases = rows.map(async (row, index) => {
    const label = `u${index}x`;
    const entry = { ...(await entryOf(row, label)), era: 'legacy', timeouts: TIMEOUTS };
    return [label, { list: row[0], failure: row[1], entry }] as const;
  });
  return { cases: new Map(await Promise.all(cases)), heal };
}

const product = <A, B>(as: readonly A[], bs: readonly B[]): (readonly [A, B])[] =>
  as.flatMap((a) => bs.map((b) => [a, b] as const));

async function httpTable(type: 'http' | 'sse'): Promise<Table> {
  const server = await startFailingHttp();
  const entryOf = ([list, failure]: readonly [ListName, (typeof HTTP_FAILURE_NAMES)[number]], label: string) => ({
    type,
    url: server.urlOf(type, list, failure, label),
  });
  return tableOf(product(LIST_NAMES, HTTP_FAILURE_NAMES), entryOf, () => server.heal());
}

async function streamTable(listen: (accept: Accept) => Promise<Listening>): Promise<Table> {
  let healthy = false;
  const isWell = () => healthy;
  return tableOf(
    product(LIST_NAMES, STREAM_FAILURES),
    ([list, failure], label) =>
      listen((write, close) => attach(failingLists({ label, list, failure, isWell }), write, close)),
    () => {
      healthy = true;
    },
  );
}

/** Processes take their time: where the whole table is not asked for, each failure has one list, and each list a failure. */
async function stdioTable(): Promise<Table> {
  const well = path.join(temporaryFolder(), 'well');
  const all = product(LIST_NAMES, STREAM_FAILURES);
  const isShort = process.env.VIADUCT_WHOLE_TABLES !== '1';
  const rows = all.filter(
    ([list, failure]) => !isShort || LIST_NAMES.indexOf(list) === STREAM_FAILURES.indexOf(failure) % LIST_NAMES.length,
  );
  return tableOf(
    rows,
    ([list, failure], label) =>
      fixture('failing-lists', `--list=${list}`, `--failure=${failure}`, `--well=${well}`, `--label=${label}`),
    () => writeFileSync(well, ''),
  );
}

let sockets = 0;
const TABLES = {
  http: () => httpTable('http'),
  sse: () => httpTable('sse'),
  tcp: () => streamTable((accept) => listenTcp(accept, 0)),
  unix: () => streamTable((accept) => listenUnix(accept, path.join(temporaryFolder(), `${++sockets}.sock`))),
  websocket: () => streamTable((accept) => listenWebSocket(accept, 0)),
  stdio: () => stdioTable(),
} as const;

async function open({ cases }: Table): Promise<RawClient> {
  const upstreams = Object.fromEntries([...cases].map(([key, { entry }]) => [key, entry]));
  const limits = { frameBytes: 100_000 };
  return connectStdio(
    writeConfig({
      upstreams,
      limits,
      enabledWorkflows: ['gateway'],
      lists: { graceMs: 100 },
      log: { level: 'silent' },
    }),
  );
}

/** The lists of which a client sees the entry of each upstream. */
async function listedOf(client: RawClient, keys: Iterable<string>): Promise<Record<string, readonly ListName[]>> {
  const texts = await Promise.all(LIST_NAMES.map(async (name) => (await client.request(name)).text));
  const listed = (key: string) => LIST_NAMES.filter((_name, index) => texts[index]!.includes(key));
  return Object.fromEntries([...keys].map((key) => [key, listed(key)]));
}

async function statusOf(client: RawClient): Promise<ReadonlyMap<string, any>> {
  const { upstreams } = (await client.call('viaduct_status')).structuredContent;
  return new Map(upstreams.map((upstream: any) => [upstream.key, upstream]));
}

describe.each(Object.keys(TABLES) as (keyof typeof TABLES)[])('over %s, where one list fails', (transport) => {
  test('the others are there, it is said which fails, and it is there when the server is well', async () => {
    const table = await TABLES[transport]();
    const { cases } = table;
    const client = await open(table);
    const shown = (without: boolean) =>
      Object.fromEntries(
        [...cases].map(([key, { list }]) => [key, LIST_NAMES.filter((name) => !without || name !== list)]),
      );

    await expect.poll(() => listedOf(client, cases.keys()), PATIENCE).toEqual(shown(true));
    for (const [key, { list, failure }] of cases) {
      const what = `${key}, ${list}: ${failure}`;
      await expect
        .poll(async () => `${what}: ${(await statusOf(client)).get(key).reason}`, PATIENCE)
        .toMatch(new RegExp(`^${what}: .*${list}`));
    }

    table.heal();
    await expect.poll(() => listedOf(client, cases.keys()), PATIENCE).toEqual(shown(false));
    await expect
      .poll(
        async () => [...(await statusOf(client)).values()].map(({ state, reason }) => `${state} ${reason}`),
        PATIENCE,
      )
      .toEqual([...cases].map(() => 'ready null'));
    expect(await client.callText('u0x_tool')).toBe('called');
  });
});
