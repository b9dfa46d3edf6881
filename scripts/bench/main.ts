// Measures the gateway against a direct connection to the same upstream, in turns in one run: quote the ratios.
//   npm run bench [-- calls|http-upstreams|large|list|cold|starts|memory|checkpoint|audit|changes|many|stalls|search|shim|browser …]
//   npm run bench -- compare other/dist/main.js   # this build against another one
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { browserFigures } from './browser/browser.ts';
import { checkpointFigures, figureRow } from './checkpoint.ts';
import type { BenchClient } from './clients.ts';
import { appendRows } from './costs/appends.ts';
import { changeRows, neighbourRows } from './costs/changes.ts';
import { manyRows } from './costs/many.ts';
import { auditRows, stallRows } from './costs/stalls.ts';
import { type Block, median, pssOf, rssOf, runBlock, timed } from './measure.ts';
import { searchFigures } from './search/search.ts';
import { speedFigures } from './search-speed/speed.ts';
import { shimFigures } from './shim.ts';
import { START_TARGETS } from './start-targets.ts';
import { type StartOptions, startFigures, startRow } from './starts.ts';
import { AUDIT_TARGETS, buildTargets, HTTP_UPSTREAM_TARGETS, SDK_TARGET, TARGETS, type Target } from './targets.ts';

const CALL_TEXT = 'a usual line of text, some sixty characters, as tools get it';
const ROUNDS = 7;
const COMPARED_ROUNDS = 14;
const BLOCK_MS = 600;

type Connected = { readonly target: Target; readonly client: BenchClient };

const out = (line = '') => process.stdout.write(`${line}\n`);
const fixed = (value: number | undefined, digits = 0) =>
  value === undefined || Number.isNaN(value) ? '-' : value.toFixed(digits);

function table(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  out(line(head));
  out(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  for (const row of rows) out(line(row));
  out();
}

async function withAll(
  tools: number,
  work: (connected: readonly Connected[]) => Promise<void>,
  targets: readonly Target[] = TARGETS,
): Promise<void> {
  const connected: Connected[] = [];
  try {
    for (const target of targets) connected.push({ target, client: await target.connect(tools) });
    await work(connected);
  } finally {
    await Promise.all(connected.map(({ client }) => client.close()));
  }
}

/** Median of the ratios of neighbouring measurements, so that the machine's load cancels out. */
function ratio(own: readonly number[], baseline: readonly number[]): string {
  return `${fixed(median(own.map((value, round) => value / baseline[round]!)), 2)}x`;
}

/** One figure of every target in each round, in turns. */
async function inTurns(
  connected: readonly Connected[],
  rounds: number,
  measure: (connected: Connected) => Promise<number>,
) {
  const series = new Map<string, number[]>(connected.map(({ target }) => [target.name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const one of connected) series.get(one.target.name)!.push(await measure(one));
  }
  return series;
}

async function calls(): Promise<void> {
  for (const concurrency of [1, 16]) await callsAt(concurrency, [...TARGETS, SDK_TARGET]);
}

async function httpUpstreams(): Promise<void> {
  for (const concurrency of [1, 16]) await callsAt(concurrency, HTTP_UPSTREAM_TARGETS);
}

async function audit(): Promise<void> {
  for (const concurrency of [1, 16]) await callsAt(concurrency, AUDIT_TARGETS);
}

const CALL_COLUMNS = ['', 'p50 us', 'p99 us', 'p50 ratio', 'calls/s', 'calls/s ratio', 'CPU us/call', 'CPU ratio'];
/** Ratios to the limit program. */
const LIMIT_COLUMNS = ['p50 / limit', 'calls/s / limit', 'CPU / limit'];

async function callsAt(concurrency: number, targets: readonly Target[], rounds = ROUNDS): Promise<void> {
  await withAll(
    5,
    async (connected) => {
      const blocks = new Map(
        connected.map(({ target }) => [target.name, [] as Awaited<ReturnType<typeof runBlock>>[]]),
      );
      for (let round = 0; round <= rounds; round++) {
        for (const { target, client } of connected) {
          const params = `{"name":"${target.prefix}echo","arguments":{"text":"${CALL_TEXT}"}}`;
          const block = await runBlock(client, params, concurrency, BLOCK_MS);
          // The first round is for the compilers.
          if (round > 0) blocks.get(target.name)!.push(block);
        }
      }
      out(`tools/call, concurrency ${concurrency}; load of the machine ${loadavg()[0]!.toFixed(1)}`);
      table(
        [...CALL_COLUMNS, ...LIMIT_COLUMNS],
        connected.map(({ target }) => {
          const own = blocks.get(target.name)!;
          const base = blocks.get(target.baseline)!;
          const cpu = cpuOfBlocks(own);
          const baseCpu = cpuOfBlocks(base);
          return [
            target.name,
            fixed(median(own.map(({ p50 }) => p50))),
            fixed(median(own.map(({ p99 }) => p99))),
            ratio(
              own.map(({ p50 }) => p50),
              base.map(({ p50 }) => p50),
            ),
            fixed(median(own.map(({ perSecond }) => perSecond))),
            ratio(
              own.map(({ perSecond }) => perSecond),
              base.map(({ perSecond }) => perSecond),
            ),
            cpu.length === 0 ? '-' : fixed(median(cpu), 1),
            cpu.length === 0 || baseCpu.length === 0 ? '-' : ratio(cpu, baseCpu),
            ...ofLimit(own, blocks.get(target.limit ?? '')),
          ];
        }),
      );
    },
    targets,
  );
}

/** The ratios of the median latency, the calls a second and the CPU time of blocks to those of a limit program. */
function ofLimit(own: readonly Block[], limit: readonly Block[] | undefined): string[] {
  if (limit === undefined) return ['', '', ''];
  const ratioOf = (figure: (block: Block) => number) => ratio(own.map(figure), limit.map(figure));
  return [
    ratioOf(({ p50 }) => p50),
    ratioOf(({ perSecond }) => perSecond),
    ratio(cpuOfBlocks(own), cpuOfBlocks(limit)),
  ];
}

/** Microseconds a call, of the blocks in which they were measured. */
function cpuOfBlocks(blocks: readonly Block[]): number[] {
  return blocks.flatMap(({ cpu }) => (cpu === undefined ? [] : [cpu]));
}

/** Measures this build and another one in turns. */
async function compare(main: string | undefined): Promise<void> {
  if (main === undefined) return fail('compare needs the dist/main.js of the other build');
  const targets = buildTargets(main);
  for (const concurrency of [1, 16]) await callsAt(concurrency, targets, COMPARED_ROUNDS);
  await coldOf(targets, COMPARED_ROUNDS);
}

async function large(): Promise<void> {
  await withAll(5, async (connected) => {
    for (const mib of [1, 10]) {
      const series = await inTurns(connected, 9, ({ target, client }) =>
        timed(client, 'tools/call', `{"name":"${target.prefix}echo","arguments":{"text":"","mib":${mib}}}`),
      );
      out(`a result of ${mib} MiB`);
      printSeries(connected, series);
    }
  });
}

async function list(): Promise<void> {
  await withAll(1000, async (connected) => {
    const series = await inTurns(connected, 9, ({ client }) => timed(client, 'tools/list', '{}'));
    out('tools/list, 1,000 tools an upstream (the gateway has three)');
    printSeries(connected, series);
  });
}

async function cold(): Promise<void> {
  await coldOf(TARGETS, 5);
  out(
    '`viaduct stdio`, one upstream of 50 tools: spawn to the complete list, in all homes but the cold ones with compiled code',
  );
  out('goals: private 3.0x cold and 2.0x with known lists, shared 4.5x and 3.2x, attached 1.6x');
  await startsOf(START_TARGETS, 9);
}

async function coldOf(measured: readonly Target[], rounds: number): Promise<void> {
  out('cold start, one upstream of 50 tools, no cache: spawn to the complete list');
  await startsOf(measured, rounds);
}

async function startsOf(measured: readonly Target[], rounds: number): Promise<void> {
  const targets = measured.map((target) => ({ target, client: undefined as unknown as BenchClient }));
  const series = await inTurns(targets, rounds, async ({ target }) => {
    await target.prepare?.();
    const from = performance.now();
    const client = await target.connect(50, 1);
    const took = performance.now() - from;
    await client.close();
    return took;
  });
  for (const { target } of targets) target.end?.();
  printSeries(targets, series);
}

async function starts(): Promise<void> {
  out('starts of a gateway whose lists are known, medians in ms from the start of its process');
  out('goals with 50 upstreams: first list 1000, all ready 60000, a call meanwhile 100');
  const kinds: readonly (readonly [name: string, options: StartOptions])[] = [
    ['1 upstream', { upstreams: 1 }],
    ['50 upstreams', { upstreams: 50 }],
    ['50 upstreams, all at once', { upstreams: 50, startsAtOnce: 1_000 }],
  ];
  const rows: string[][] = [];
  for (const [name, options] of kinds) {
    const measured = (await startFigures(5, options)).map((figure) => startRow(figure));
    const medians = [0, 1, 2, 3].map((column) => fixed(median(measured.map((row) => row[column]!))));
    rows.push([name, ...medians]);
  }
  table(['', 'first list', 'all ready', 'call p50', 'call p99'], rows);
}

function printSeries(connected: readonly Connected[], series: ReadonlyMap<string, readonly number[]>): void {
  table(
    ['', 'median ms', 'ratio'],
    connected.map(({ target }) => {
      const own = series.get(target.name)!;
      return [target.name, fixed(median(own), 1), ratio(own, series.get(target.baseline)!)];
    }),
  );
}

async function memory(): Promise<void> {
  const rows: string[][] = [];
  for (const target of TARGETS.filter(({ name }) => name.startsWith('gateway') && !name.endsWith('shared'))) {
    for (const upstreams of [1, 5, 20, 100]) {
      const client = await target.connect(50, upstreams);
      const [pid] = client.pids;
      const idle = [rssOf(pid!), pssOf(pid!)];
      const params = `{"name":"${target.prefix}echo","arguments":{"text":"${CALL_TEXT}"}}`;
      await runBlock(client, params, 16, 1_500);
      const figures = [...idle, rssOf(pid!), pssOf(pid!)];
      rows.push([target.name, String(upstreams), ...figures.map((figure) => fixed(figure))]);
      await client.close();
    }
  }
  out(
    'memory of the gateway, MiB, with n upstreams of 50 tools: resident, and its share of it (PSS); goal: 75 PSS idle with 20',
  );
  table(['', 'upstreams', 'RSS idle', 'PSS idle', 'RSS after calls', 'PSS after calls'], rows);
}

async function checkpoint(): Promise<void> {
  out('the store of checkpoints, one call after the other; p50 / p99 in ms');
  const head = ['', 'appends/s', 'append', 'append to 100 KB', 'save 100 KB', 'load 100 KB'];
  table(head, (await checkpointFigures()).map(figureRow));
  out('append_decision through gateways, each with one client; goals: 6,000 items as none, 4 gateways as fast as one');
  table(['', 'appends/s', 'CPU ms an append', 'longest stall ms'], await appendRows());
}

async function changes(): Promise<void> {
  out('one changed tool of an upstream with n tools; goals at 2,000: 40 ms CPU, 60 ms until clients are told');
  table(['tools', 'CPU ms', 'told after ms', 'longest stall ms'], await changeRows([10, 100, 1_000, 2_000]));
  out('calls of an upstream beside one of 2,000 tools that changes; goals: 25 % CPU, p99 1.5x');
  table(['', 'p50 ms', 'p99 ms', 'CPU %', 'longest stall ms'], await neighbourRows(2_000));
}

async function many(): Promise<void> {
  out('starts of a gateway with n HTTP upstreams of 20 tools, without known lists and with them, in ms');
  out('goals with 200: all listed 2000, exponents 1.1, first list with known lists 400');
  const head = ['upstreams', 'first list', 'all listed', 'CPU', 'first list, known', 'CPU, known'];
  table(head, await manyRows([50, 100, 200]));
}

async function stalls(): Promise<void> {
  out('the longest stall of the event loop; goal: 50 ms');
  table(['', 'stall ms', 'took ms', 'CPU ms'], await stallRows());
  out('viaduct audit over 1,000,000 calls; goal: 1,000 ms');
  table(['filter', 'took ms', 'rows'], await auditRows());
}

const SUITES: Readonly<Record<string, () => Promise<void>>> = {
  calls,
  'http-upstreams': httpUpstreams,
  large,
  list,
  cold,
  starts,
  memory,
  checkpoint,
  audit,
  changes,
  many,
  stalls,
  search: () => searchFigures(out, table),
  'search-speed': () => speedFigures(out),
  shim: () => shimFigures(table),
  browser: () => browserFigures(out, table),
};

execFileSync(process.execPath, ['scripts/build-fixtures.mjs'], { stdio: 'inherit' });
const chosen = process.argv.slice(2);
if (chosen[0] === 'compare') {
  await compare(chosen[1]);
  process.exit(0);
}
for (const name of chosen)
  if (SUITES[name] === undefined) fail(`there is no "${name}"; choose from compare, ${Object.keys(SUITES).join(', ')}`);
out(`Node ${process.version} on ${process.platform}\n`);
for (const name of chosen.length > 0 ? chosen : Object.keys(SUITES)) await SUITES[name]!();
process.exit(0);

function fail(problem: string): never {
  process.stderr.write(`bench: ${problem}\n`);
  process.exit(2);
}
