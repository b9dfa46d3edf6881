import { setTimeout as delay } from 'node:timers/promises';
import { median, percentile } from '../measure.ts';
import { benchEntry, ProbedGateway } from './probed-gateway.ts';

const CHANGES = 9;
/** Between changes: a list that changes without a pause is read and told less often than it changes. */
const PAUSE_MS = 500;
const NEIGHBOUR_MS = 5_000;
const CALL_PAUSE_MS = 5;

/** The cost of one changed tool, for each size of the list, as columns. */
export async function changeRows(sizes: readonly number[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const tools of sizes) rows.push(await changeRow(tools));
  return rows;
}

async function changeRow(tools: number): Promise<string[]> {
  const gateway = await ProbedGateway.start({ upstreams: { up: benchEntry(`--tools=${tools}`) } });
  try {
    await gateway.untilListed('"up_echo"');
    const cpu: number[] = [];
    const told: number[] = [];
    let stallMs = 0;
    for (let round = 0; round <= CHANGES; round++) {
      await delay(PAUSE_MS);
      await gateway.look();
      const isTold = nextChange(gateway);
      const from = performance.now();
      await gateway.call('up_echo', { text: '', change: true });
      await isTold;
      const took = performance.now() - from;
      await gateway.client.request('tools/list', '{}');
      const figures = await gateway.look();
      if (round === 0) continue;
      cpu.push(figures.cpuMs);
      told.push(took);
      stallMs = Math.max(stallMs, figures.stallMs);
    }
    return [String(tools), median(cpu).toFixed(1), median(told).toFixed(1), stallMs.toFixed(0)];
  } finally {
    await gateway.stop();
  }
}

function nextChange({ client }: ProbedGateway): Promise<void> {
  return new Promise((resolve) => {
    client.onNotification = (method) => {
      if (method === 'notifications/tools/list_changed') resolve();
    };
  });
}

/** What a neighbour of an upstream feels that changes 10 times a second: p50, p99 of its calls, the gateway's CPU. */
export async function neighbourRows(tools: number): Promise<string[][]> {
  return [await neighbourRow(tools, 0), await neighbourRow(tools, 10)];
}

async function neighbourRow(tools: number, hz: number): Promise<string[]> {
  const upstreams = { up: benchEntry(), busy: benchEntry(`--tools=${tools}`, `--hz=${hz}`) };
  const gateway = await ProbedGateway.start({ upstreams });
  try {
    await gateway.untilListed('"up_echo"');
    await gateway.untilListed('"busy_echo"');
    const times: number[] = [];
    await gateway.look();
    const from = performance.now();
    while (performance.now() - from < NEIGHBOUR_MS) {
      const sentAt = performance.now();
      await gateway.call('up_echo', { text: 'a usual line' });
      times.push(performance.now() - sentAt);
      await delay(CALL_PAUSE_MS);
    }
    const { cpuMs, stallMs } = await gateway.look();
    const sorted = times.sort((a, b) => a - b);
    const share = (100 * cpuMs) / (performance.now() - from);
    return [
      `${hz} changes a second`,
      percentile(sorted, 0.5).toFixed(2),
      percentile(sorted, 0.99).toFixed(2),
      share.toFixed(0),
      stallMs.toFixed(0),
    ];
  } finally {
    await gateway.stop();
  }
}
