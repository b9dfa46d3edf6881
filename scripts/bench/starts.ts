import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StdioClient } from './clients.ts';
import { percentile } from './measure.ts';

const GATEWAY = path.resolve('dist/main.js');
const UPSTREAM = path.resolve('dist-fixtures/bench.js');
const LOOK_MS = 100;
const CALL_PAUSE_MS = 50;

/** The gateway whose starts are measured. */
export interface StartOptions {
  readonly upstreams: number;
  /** As the config has it; the default where absent. */
  readonly startsAtOnce?: number;
}

/** One start of a gateway with many upstreams whose lists are known; times in milliseconds. */
export interface StartFigures {
  /** From the start of the gateway's process to its first whole list. */
  readonly firstList: number;
  /** From the start of the gateway's process until every upstream is ready. */
  readonly allReady: number;
  /** Calls of the first upstream that was ready, until all were. */
  readonly calls: readonly number[];
}

interface Status {
  readonly structuredContent: { readonly upstreams: readonly { readonly key: string; readonly state: string }[] };
}

/** Starts a gateway with many upstreams so many times, after a start that makes their lists known. */
export async function startFigures(rounds: number, options: StartOptions): Promise<StartFigures[]> {
  const home = mkdtempSync(path.join(tmpdir(), 'viaduct-bench-'));
  try {
    const config = writeConfig(home, options);
    const { upstreams } = options;
    await oneStart(home, config, { upstreams, known: 0 });
    const figures: StartFigures[] = [];
    for (let round = 0; round < rounds; round++)
      figures.push(await oneStart(home, config, { upstreams, known: upstreams }));
    return figures;
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The figures of a start, as columns: first list, all ready, p50 and p99 of calls. */
export function startRow({ firstList, allReady, calls }: StartFigures): number[] {
  const sorted = calls.toSorted((a, b) => a - b);
  return [firstList, allReady, percentile(sorted, 0.5), percentile(sorted, 0.99)];
}

function writeConfig(folder: string, { upstreams, startsAtOnce }: StartOptions): string {
  const entry = { command: process.execPath, args: [UPSTREAM, '--tools=20'] };
  const entries = Array.from({ length: upstreams }, (_, index) => [`up${index}`, { ...entry, env: { N: `${index}` } }]);
  const file = path.join(folder, 'viaduct.yaml');
  const config = {
    schemaVersion: 1,
    enabledWorkflows: ['gateway'],
    log: { level: 'error' },
    ...(startsAtOnce !== undefined && { limits: { startsAtOnce } }),
    upstreams: Object.fromEntries(entries),
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

async function oneStart(
  home: string,
  config: string,
  { upstreams, known }: { readonly upstreams: number; readonly known: number },
): Promise<StartFigures> {
  const from = performance.now();
  const env = { ...process.env, VIADUCT_HOME: home, VIADUCT_GATEWAY: 'private' };
  const client = new StdioClient(process.execPath, [GATEWAY, 'stdio', '--config', config], env, false);
  try {
    await client.initialize();
    const text = (await client.request('tools/list', '{}')).toString();
    const firstList = performance.now() - from;
    const listed = new Set(text.match(/"name":"up\d+_echo"/g)).size;
    if (listed < known) throw new Error(`the first list has ${listed} of ${known} upstreams`);
    const calls: number[] = [];
    let isOver = false;
    const calling = callFirst(client, calls, () => isOver);
    while ((await readyKeys(client)).length < upstreams) await delay(LOOK_MS);
    const allReady = performance.now() - from;
    isOver = true;
    await calling;
    return { firstList, allReady, calls };
  } finally {
    await client.close();
  }
}

/** Calls the first upstream that is ready, again and again. */
async function callFirst(client: StdioClient, times: number[], isOver: () => boolean): Promise<void> {
  let key: string | undefined;
  while (key === undefined) {
    [key] = await readyKeys(client);
    if (key === undefined) await delay(LOOK_MS);
  }
  while (!isOver()) {
    const from = performance.now();
    await client.request('tools/call', `{"name":"${key}_echo","arguments":{"text":"a usual line"}}`);
    times.push(performance.now() - from);
    await delay(CALL_PAUSE_MS);
  }
}

async function readyKeys(client: StdioClient): Promise<string[]> {
  const answer = await client.request('tools/call', '{"name":"viaduct_status","arguments":{}}');
  const { result } = JSON.parse(answer.toString()) as { result: Status };
  return result.structuredContent.upstreams.filter(({ state }) => state === 'ready').map(({ key }) => key);
}
