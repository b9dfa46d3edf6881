import { parentPort, workerData } from 'node:worker_threads';
import type { Method } from './messages.ts';
import type { WorkerRole } from './role.ts';
import { serveCalls } from './serve-calls.ts';

type Start = (data: never, emit: (value: unknown) => void) => Methods | Promise<Methods>;
type Methods = Readonly<Record<string, Method>>;

const ROLES: Readonly<Record<WorkerRole, () => Promise<Start>>> = {
  search: async () => (await import('../search/search-worker.ts')).searchWorker,
  index: async () => (await import('../runs/index-worker.ts')).indexWorker,
  parse: async () => (await import('../texts/parse-worker.ts')).parseWorker,
};

const port = parentPort!;
const { role, data } = workerData as { readonly role: WorkerRole; readonly data: never };
const methods = ROLES[role]().then((start) => start(data, (value) => port.postMessage({ kind: 'event', value })));
serveCalls(port, methods);
// Calls made by then are told why they fail; the next call starts another worker.
methods.catch(() => setImmediate(() => process.exit(1)));
