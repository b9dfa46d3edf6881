import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { BENCH_SERVER, newFolder, ProbedGateway } from './probed-gateway.ts';

const TOOLS = 20;
const LOOK_MS = 25;
/** Every tool list of an upstream has one such tool. */
const MARK = /_echo"/g;

interface Start {
  /** From the start of the gateway's process to its first answer to `tools/list`. */
  readonly firstMs: number;
  /** From the start of the gateway's process until the tools of all upstreams are listed. */
  readonly allMs: number;
  readonly cpuMs: number;
}

/**
 * Starts a gateway with so many HTTP upstreams, which one process serves: without known lists, then with them. Returns columns,
 * and a last row with the exponents by which times grow from the smallest number to the largest.
 */
export async function manyRows(sizes: readonly number[]): Promise<string[][]> {
  const server = spawn(process.execPath, [BENCH_SERVER, '--http', `--tools=${TOOLS}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const url = (await firstLineOf(server)).replace('listening on ', '');
    const starts: { readonly cold: Start; readonly known: Start }[] = [];
    for (const upstreams of sizes) starts.push(await bothStarts(url, upstreams));
    const rows = starts.map(({ cold, known }, index) => [
      String(sizes[index]),
      ...[cold.firstMs, cold.allMs, cold.cpuMs, known.firstMs, known.cpuMs].map((figure) => figure.toFixed(0)),
    ]);
    const exponent = (figure: (start: { cold: Start }) => number) =>
      (Math.log(figure(starts.at(-1)!) / figure(starts[0]!)) / Math.log(sizes.at(-1)! / sizes[0]!)).toFixed(2);
    const exponents = [exponent(({ cold }) => cold.allMs), exponent(({ cold }) => cold.cpuMs)];
    return [...rows, ['exponent', '', ...exponents, '', '']];
  } finally {
    server.kill();
  }
}

async function bothStarts(url: string, upstreams: number): Promise<{ readonly cold: Start; readonly known: Start }> {
  const folder = newFolder();
  const entries = Array.from({ length: upstreams }, (_, index) => [`up${index}`, { url: `${url}?up=${index}` }]);
  const config = { upstreams: Object.fromEntries(entries) as object };
  const first = await timedStart(config, folder, upstreams);
  await first.gateway.client.close();
  const second = await timedStart(config, folder, upstreams);
  await second.gateway.stop();
  return { cold: first.start, known: second.start };
}

async function timedStart(
  config: object,
  folder: string,
  upstreams: number,
): Promise<{ readonly gateway: ProbedGateway; readonly start: Start }> {
  const from = performance.now();
  const gateway = await ProbedGateway.start(config, folder);
  let list = await gateway.client.request('tools/list', '{}');
  const firstMs = performance.now() - from;
  while ((list.toString('latin1').match(MARK)?.length ?? 0) < upstreams) {
    await delay(LOOK_MS);
    list = await gateway.client.request('tools/list', '{}');
  }
  const allMs = performance.now() - from;
  const { cpuMs } = await gateway.look();
  return { gateway, start: { firstMs, allMs, cpuMs } };
}

async function firstLineOf({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout! })) return line.trim();
  throw new Error('the HTTP server of the bench has ended before it was ready');
}
