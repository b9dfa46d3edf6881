import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fillEvents } from './fill-events.ts';
import { BENCH_SERVER, benchEntry, GATEWAY, newFolder, ProbedGateway } from './probed-gateway.ts';

const EVENTS = 1_000_000;
const FILES = 50_000;
const DECISIONS = 10_000;
const ENTRIES = 200;
/** Time for a changed config to be noticed and applied. */
const RELOAD_MS = 6_000;

/** One piece of heavy work: `prepare` starts a gateway for it, `work` is measured. */
interface HeavyWork {
  readonly name: string;
  readonly prepare: () => Promise<ProbedGateway>;
  readonly work: (gateway: ProbedGateway) => Promise<unknown>;
}

const WORKS: readonly HeavyWork[] = [
  {
    name: 'first sync of 10,000 tools',
    prepare: () => ProbedGateway.start({ upstreams: { up: benchEntry('--tools=10000') } }),
    work: (gateway) => gateway.untilListed('"up_echo"'),
  },
  {
    name: `metrics_query, ${EVENTS} events`,
    async prepare() {
      const folder = newFolder();
      await fillEvents(path.join(folder, 'home'), 'metric', EVENTS);
      return workflows(['metrics'], folder);
    },
    work: (gateway) => gateway.call('metrics_query', { since: '1100h' }),
  },
  {
    name: `dir_list, ${FILES} entries`,
    prepare() {
      const folder = newFolder();
      const files = path.join(folder, 'files');
      mkdirSync(files);
      for (let index = 0; index < FILES; index++) writeFileSync(path.join(files, `file-${index}.txt`), '');
      return workflows(['files'], folder);
    },
    work: (gateway) => gateway.call('dir_list', { path: 'files' }),
  },
  {
    name: `save_checkpoint, ${DECISIONS} decisions`,
    prepare: () => workflows(['checkpoint'], newFolder()),
    work: (gateway) =>
      gateway.call('save_checkpoint', { source_ide: 'generic', force: true, bundle_patch: decisions() }),
  },
  {
    name: 'a result of 50 MiB',
    prepare: async () => started({ upstreams: { up: benchEntry() } }, '"up_echo"'),
    work: (gateway) => gateway.call('up_echo', { text: '', mib: 50 }),
  },
  {
    name: `reload, ${ENTRIES} entries changed`,
    prepare: () => started({ upstreams: entries('1') }, '"up199_echo"'),
    async work(gateway) {
      gateway.configure({ upstreams: entries('2') });
      await delay(RELOAD_MS);
    },
  },
  {
    name: `reload, none of ${ENTRIES} entries changed`,
    prepare: () => started({ upstreams: entries('1') }, '"up199_echo"'),
    async work(gateway) {
      gateway.configure({ upstreams: entries('1'), names: { maxLength: 100 } });
      await delay(RELOAD_MS);
    },
  },
];

/** The longest stall of the event loop, the time and the CPU time of each heavy work whose name has this text. */
export async function stallRows(wanted = ''): Promise<string[][]> {
  const rows: string[][] = [];
  for (const heavy of WORKS) {
    const { name } = heavy;
    if (!name.includes(wanted)) continue;
    const gateway = await heavy.prepare();
    try {
      await gateway.look();
      const from = performance.now();
      await heavy.work(gateway);
      const took = performance.now() - from;
      const { stallMs, cpuMs } = await gateway.look();
      rows.push([name, stallMs.toFixed(0), took.toFixed(0), cpuMs.toFixed(0)]);
    } finally {
      await gateway.stop();
    }
  }
  return rows;
}

/** How long `viaduct audit` takes over a million calls, with different filters. */
export async function auditRows(): Promise<string[][]> {
  const folder = newFolder();
  try {
    const home = path.join(folder, 'home');
    await fillEvents(home, 'audit', EVENTS);
    const config = path.join(folder, 'viaduct.yaml');
    writeFileSync(config, JSON.stringify({ schemaVersion: 1, upstreams: {} }));
    const filters = [[], ['--tool', 'tool_7'], ['--failed'], ['--tool', 'no_such_tool']];
    return filters.map((filter) => auditRow(home, config, filter));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error if the command fails */
function auditRow(home: string, config: string, filter: readonly string[]): string[] {
  const from = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [GATEWAY, 'audit', '--config', config, '--json', '--since', '10000d', ...filter],
    { env: { ...process.env, VIADUCT_HOME: home }, encoding: 'utf8', maxBuffer: 1 << 30 },
  );
  const took = performance.now() - from;
  if (status !== 0) throw new Error(`viaduct audit ${filter.join(' ')} has failed: ${stderr}`);
  return [filter.join(' ') || 'no filter', took.toFixed(0), String(stdout.split('\n').length - 1)];
}

async function started(config: object, listed: string): Promise<ProbedGateway> {
  const gateway = await ProbedGateway.start(config);
  await gateway.untilListed(listed);
  return gateway;
}

/** A gateway with built-in tools, whose workspace is its folder. */
function workflows(enabledWorkflows: readonly string[], folder: string): Promise<ProbedGateway> {
  return ProbedGateway.start({ enabledWorkflows, workspace: { root: folder }, upstreams: {} }, folder);
}

function entries(mark: string): object {
  const entry = { command: process.execPath, args: [BENCH_SERVER], env: { MARK: mark } };
  return Object.fromEntries(Array.from({ length: ENTRIES }, (_, index) => [`up${index}`, entry]));
}

function decisions(): object {
  const text = 'The store keeps one row for each item, because a whole bundle would be written anew each time. ';
  return {
    decisions: Array.from({ length: DECISIONS }, (_, index) => ({
      id: `d${index}`,
      text: `${text}${index}`,
      rationale: 'Measured: the cost grew with the bundle.',
    })),
  };
}
