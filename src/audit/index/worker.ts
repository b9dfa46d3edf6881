import { parentPort, workerData } from 'node:worker_threads';
import { beNice } from '../../core/threads/be-nice.ts';
import { openDatabase } from '../../store/database/database.ts';
import { openAuditStore } from '../../store/events/open-audit-store.ts';
import { openEventStore } from '../../store/events/open-event-store.ts';
import { AuditIndexer } from './audit-indexer.ts';
import type { IndexRun, IndexWorkerData, ToIndexWorker } from './messages.ts';

const PRUNE_EVERY_MS = 6 * 3_600_000;
const DAY_MS = 86_400_000;

const port = parentPort!;
const { home, url, file, files, keepDays } = workerData as IndexWorkerData;
const database = openDatabase({ home, url, isLax: true });
const events = openEventStore({ database, home });
const indexer = new AuditIndexer({ index: openAuditStore({ database, home }), file, files });
const ending = new AbortController();
let prunedAt = Number.NEGATIVE_INFINITY;
let running: Promise<void> = Promise.resolve();

async function run(): Promise<void> {
  let fault: string | undefined;
  try {
    await indexer.run(ending.signal);
    await prune();
  } catch (error) {
    fault = (error as Error).message;
  }
  port.postMessage({ fault } satisfies IndexRun);
}

async function prune(): Promise<void> {
  if (ending.signal.aborted || performance.now() - prunedAt < PRUNE_EVERY_MS) return;
  prunedAt = performance.now();
  await events.expire('audit', keepDays * DAY_MS);
}

async function end(): Promise<void> {
  ending.abort();
  await events.close();
  await running;
  await database.close();
  port.close();
}

beNice();
port.on('message', (message: ToIndexWorker) => {
  if (message === 'end') void end();
  else running = running.then(run);
});
