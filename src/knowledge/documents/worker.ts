import { parentPort } from 'node:worker_threads';
import { beNice } from '../../core/threads/be-nice.ts';
import { DocumentError } from './document-error.ts';
import { readDocument } from './read-document.ts';
import type { FromWorker, ToWorker } from './worker-messages.ts';

const port = parentPort!;

beNice();
port.on('message', ({ path, bytes }: ToWorker) => {
  const send = (message: FromWorker) => port.postMessage(message);
  readDocument(path, bytes).then(
    (chunks) => send({ kind: 'chunks', chunks }),
    (error: unknown) => send({ kind: 'failure', reason: reasonOf(error) }),
  );
});

/** A document may be made so that a loader fails in any way. */
function reasonOf(error: unknown): string {
  if (error instanceof DocumentError) return error.message;
  if (error instanceof RangeError) return 'it is nested too deeply, or too large';
  return `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
}
