// A worker whose method "loop" never comes to an end; all others are answered with their names.
import { parentPort } from 'node:worker_threads';

parentPort.on('message', ({ id, method }) => {
  while (method === 'loop');
  parentPort.postMessage({ kind: 'result', id, value: method });
});
