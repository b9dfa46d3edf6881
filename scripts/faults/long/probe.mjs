// Loaded into a gateway under test with NODE_OPTIONS=--import: at SIGUSR2 it writes to $VIADUCT_PROBE_FILE what the
// process holds, after a full garbage collection; at its exit, whether its prototypes were polluted. The product itself has no such door.
import { renameSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { queryObjects } from 'node:v8';

const file = process.env.VIADUCT_PROBE_FILE;
const timer = setTimeout(() => undefined, 0);
clearTimeout(timer);
const Timeout = timer.constructor;
const prototypeKeys = Object.getOwnPropertyNames(Object.prototype).length;
let samples = 0;

const listenersOf = (emitter) => emitter.eventNames().reduce((count, name) => count + emitter.listenerCount(name), 0);

function count(names) {
  const counts = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function sample() {
  // A garbage collection comes before each of these counts.
  const timers = queryObjects(Timeout, { format: 'count' });
  const sockets = queryObjects(Socket, { format: 'count' });
  const promises = queryObjects(Promise, { format: 'count' });
  const handles = process._getActiveHandles();
  return {
    sample: ++samples,
    timers,
    sockets,
    promises,
    processListeners: listenersOf(process),
    handleListeners: handles.reduce((sum, handle) => sum + (handle.eventNames ? listenersOf(handle) : 0), 0),
    resources: count(process.getActiveResourcesInfo()),
    heapMiB: process.memoryUsage().heapUsed / 1024 / 1024,
    isPolluted: isPolluted(),
  };
}

function write(text) {
  writeFileSync(`${file}.draft`, text);
  renameSync(`${file}.draft`, file);
}

const isPolluted = () =>
  Object.getOwnPropertyNames(Object.prototype).length !== prototypeKeys || {}.polluted !== undefined;

if (file !== undefined) {
  process.on('SIGUSR2', () => write(JSON.stringify(sample())));
  // A command that ends by itself says at its end what it has done to its own prototypes.
  process.on('exit', () => write(JSON.stringify({ isPolluted: isPolluted() })));
}
