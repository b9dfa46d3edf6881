// Loaded into a gateway with --import. Answers each byte on descriptor 3 with a line of JSON: the longest stall of the event
// loop since the last answer, and the CPU time of the process so far, both in milliseconds.
import { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 1 });
delays.enable();
const requests = new Socket({ fd: 3 });
requests.on('data', () => {
  const { user, system } = process.cpuUsage();
  requests.write(`${JSON.stringify({ stallMs: delays.max / 1e6, cpuMs: (user + system) / 1e3 })}\n`);
  delays.reset();
});
requests.on('error', () => undefined);
requests.unref();
