import { rmSync } from 'node:fs';
import { startPostgres } from '../../../test/support/stores/postgres.ts';
import { newFolder, ProbedGateway } from './probed-gateway.ts';

const MEASURED_MS = 4_000;
const ITEMS = 6_000;
const GATEWAYS = 4;

interface AppendFigures {
  readonly perSecond: number;
  /** CPU time of all gateways for one append, in milliseconds. */
  readonly cpuMs: number;
  readonly stallMs: number;
}

/** Appends to one project through gateways: to an empty one, to a large one, and from several gateways at once. */
export async function appendRows(): Promise<string[][]> {
  const rows = await rowsOf('SQLite', undefined);
  const server = await startPostgres({ durable: true });
  if (server === undefined) return rows;
  try {
    rows.push(...(await rowsOf('PostgreSQL', await server.newDatabase())));
  } finally {
    await server.stop();
  }
  return rows;
}

async function rowsOf(name: string, url: string | undefined): Promise<string[][]> {
  const folder = newFolder();
  const config = { enabledWorkflows: ['checkpoint'], upstreams: {}, ...(url !== undefined && { database: url }) };
  const gateways: ProbedGateway[] = [];
  try {
    for (let index = 0; index < GATEWAYS; index++) gateways.push(await ProbedGateway.start(config, folder));
    const [one] = gateways;
    return [
      row(`${name}: append to an empty project`, await measured([one!], 'empty')),
      row(`${name}: ${GATEWAYS} gateways on one project`, await measured(gateways, 'common')),
      row(`${name}: append to ${ITEMS} items`, await toLarge([one!], 'large')),
      row(`${name}: ${GATEWAYS} gateways, ${ITEMS} items`, await toLarge(gateways, 'large-common')),
    ];
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.end()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function toLarge(gateways: readonly ProbedGateway[], project: string): Promise<AppendFigures> {
  const decisions = Array.from({ length: ITEMS }, (_, index) => ({
    id: `d${index + 1}`,
    text: `a decision as people make it, with some words about what it is for, number ${index}`,
    rationale: 'the other way was slower, and nobody needed it',
  }));
  const save = { project_id: project, source_ide: 'generic', force: true, bundle_patch: { decisions } };
  await gateways[0]!.call('save_checkpoint', save);
  return measured(gateways, project);
}

/** Each gateway has one client, which appends one decision after the other. */
async function measured(gateways: readonly ProbedGateway[], project: string): Promise<AppendFigures> {
  for (const gateway of gateways) await append(gateway, project, 0);
  await Promise.all(gateways.map((gateway) => gateway.look()));
  const from = performance.now();
  const counts = await Promise.all(gateways.map((gateway) => appendUntil(gateway, project, from + MEASURED_MS)));
  const seconds = (performance.now() - from) / 1_000;
  const looks = await Promise.all(gateways.map((gateway) => gateway.look()));
  const count = counts.reduce((sum, one) => sum + one, 0);
  return {
    perSecond: count / seconds,
    cpuMs: looks.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / count,
    stallMs: Math.max(...looks.map(({ stallMs }) => stallMs)),
  };
}

async function appendUntil(gateway: ProbedGateway, project: string, end: number): Promise<number> {
  let count = 0;
  while (performance.now() < end) await append(gateway, project, count++);
  return count;
}

function append(gateway: ProbedGateway, project: string, number: number): Promise<void> {
  return gateway.call('append_decision', {
    project_id: project,
    text: `a decision as people make it, number ${number}`,
    rationale: 'the other way was slower',
  });
}

function row(name: string, { perSecond, cpuMs, stallMs }: AppendFigures): string[] {
  return [name, perSecond.toFixed(0), cpuMs.toFixed(2), stallMs.toFixed(0)];
}
