import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { Space } from '../../../store/knowledge/rows.ts';
import type { IndexOutcome, IndexProgress } from '../knowledge.ts';
import { FORM } from '../texts/new-chunks.ts';
import { changesIn } from './changes.ts';
import { embedMissing } from './embed-missing.ts';
import type { IndexContext } from './index-context.ts';
import { ProgressMeter } from './progress-meter.ts';
import { Writer } from './writer.ts';

export interface RunOptions {
  readonly isForced: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: IndexProgress) => void;
}

/** Brings the index of a space up to date. The caller must hold the run of the space. */
export async function runIndex(
  context: IndexContext,
  space: Space,
  { isForced, signal, onProgress }: RunOptions,
): Promise<IndexOutcome> {
  const { store, ignore, maxBytes } = context;
  const startedAt = performance.now();
  const meter = new ProgressMeter(onProgress);
  const changes = await changesIn(store, space, {
    ignore,
    maxBytes,
    signal,
    isForced,
    onFound: (files) => meter.found(files),
  });
  meter.counted(changes.files.length + changes.unchanged, changes.unchanged);
  const writer = new Writer(store, space, changes.known);
  for (const failure of changes.failures) writer.fail(failure);
  writer.remove(changes.gone);
  await writeAll(context, space, changes.files, writer, meter, signal);
  await finish(store, space);
  const embedded = await embedMissing(context, space, meter, signal);
  if (embedded !== undefined) writer.fail(embedded);
  return outcomeOf(space, writer, changes.unchanged, startedAt);
}

async function writeAll(
  { parsers }: IndexContext,
  space: Space,
  files: Parameters<IndexContext['parsers']['prepare']>[1],
  writer: Writer,
  meter: ProgressMeter,
  signal: AbortSignal,
): Promise<void> {
  for await (const prepared of parsers.prepare(space.place, files, signal)) {
    await writer.add(prepared);
    meter.done(writer.chunksCreated);
  }
  await writer.flush();
}

async function finish(store: KnowledgeStore, space: Space): Promise<void> {
  await store.spaces.finish(space.number, FORM);
  await store.tidy();
}

function outcomeOf(space: Space, writer: Writer, unchanged: number, startedAt: number): IndexOutcome {
  const hasDone = writer.filesIndexed + unchanged > 0 || writer.failures === 0;
  return {
    repositoryId: space.id,
    filesIndexed: writer.filesIndexed,
    chunksCreated: writer.chunksCreated,
    durationSeconds: Math.round(performance.now() - startedAt) / 1_000,
    status: writer.failures === 0 ? 'success' : hasDone ? 'partial' : 'failed',
    errors: writer.errors,
  };
}
