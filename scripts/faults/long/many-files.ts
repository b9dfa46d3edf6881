import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { percentile } from '../../bench/measure.ts';
import { besideGood, type GoodFigures } from '../beside.ts';
import { listed } from '../expect.ts';
import { forgetPeak, peakMib, residentMib } from '../process-figures.ts';
import type { Scene, StdioGateway } from '../scene.ts';

const FILES_A_FOLDER = 1_000;
const SEARCHES = 50;
/** More than the gateway had before. */
const MOST_MIB = 1_024;
/** Part of the first run that a second one may take. */
const MOST_AGAIN = 0.2;

interface Run {
  readonly seconds: number;
  readonly filesIndexed: number;
  readonly good: GoodFigures;
}

export interface ManyFilesOutcome {
  readonly first: Run;
  readonly again: Run;
  readonly idleMib: number;
  readonly peakMib: number;
  readonly searchP95Ms: number;
  readonly problems: readonly string[];
}

/** Indexes a folder of very many small files, twice, while an upstream is called all the time. */
export async function indexManyFiles(scene: Scene, count: number): Promise<ManyFilesOutcome> {
  const root = path.join(scene.folder, 'many');
  fill(root, count);
  const gateway = await gatewayAt(scene, root);
  const pid = gateway.child.pid!;
  const idle = residentMib(pid);
  forgetPeak(pid);
  const first = await index(gateway, root);
  const peak = peakMib(pid);
  const again = await index(gateway, root);
  const { p95, problems } = await search(gateway, count);
  const figures = { first, again, idleMib: idle, peakMib: peak, searchP95Ms: p95 };
  return { ...figures, problems: [...problems, ...problemsOf(figures, count)] };
}

function fill(root: string, count: number): void {
  for (let file = 0; file < count; file++) {
    const folder = path.join(root, `part-${Math.floor(file / FILES_A_FOLDER)}`);
    if (file % FILES_A_FOLDER === 0) mkdirSync(folder, { recursive: true });
    const text = `/** Makes walrus ${file}. */\nexport function made${file}(): number {\n  return ${file};\n}\n`;
    writeFileSync(path.join(folder, `file-${file}.ts`), text);
  }
}

async function gatewayAt(scene: Scene, root: string): Promise<StdioGateway> {
  const config = scene.config({
    upstreams: { good: scene.fixture('hostile') },
    enabledWorkflows: ['codebase'],
    workspace: { root },
  });
  const gateway = await scene.stdio(config);
  await listed(gateway.client, ['good_echo', 'index_repository']);
  return gateway;
}

async function index({ client }: StdioGateway, root: string): Promise<Run> {
  const { value, good } = await besideGood(client, () => client.call('index_repository', { path: root, name: 'many' }));
  const outcome = value.structuredContent;
  if (outcome?.status !== 'success') throw new Error(`the run failed: ${JSON.stringify(value).slice(0, 500)}`);
  return { seconds: outcome.duration_seconds, filesIndexed: outcome.files_indexed, good };
}

async function search({ client }: StdioGateway, count: number) {
  const times: number[] = [];
  const problems: string[] = [];
  for (let round = 0; round < SEARCHES; round++) {
    const name = `made${Math.floor((round * count) / SEARCHES)}`;
    const from = performance.now();
    const { structuredContent } = await client.call('search_code', { query: name });
    times.push(performance.now() - from);
    if (structuredContent?.results[0]?.symbol !== name) problems.push(`${name} is not what a search for it finds`);
  }
  return {
    p95: percentile(
      times.sort((a, b) => a - b),
      0.95,
    ),
    problems,
  };
}

function problemsOf({ first, again, idleMib, peakMib }: Omit<ManyFilesOutcome, 'problems'>, count: number): string[] {
  return [
    ...(first.filesIndexed === count ? [] : [`${first.filesIndexed} files instead of ${count}`]),
    ...(again.filesIndexed === 0 ? [] : [`${again.filesIndexed} files were read again that had not changed`]),
    ...(again.seconds <= first.seconds * MOST_AGAIN ? [] : [`the second run took ${again.seconds} s`]),
    ...(peakMib - idleMib <= MOST_MIB ? [] : [`more than ${MOST_MIB} MiB over idle`]),
  ];
}
