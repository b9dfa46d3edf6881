import type { MessagePort } from 'node:worker_threads';
import { type FromWorker, type Method, type ToWorker, toSent } from './messages.ts';

/** Answers calls that come through a port, as many at a time as come. */
export function serveCalls(port: MessagePort, methods: Promise<Readonly<Record<string, Method>>>): void {
  const underWay = new Map<number, AbortController>();
  const send = (message: FromWorker) => port.postMessage(message);
  const answer = async (id: number, name: string, args: readonly unknown[]) => {
    const controller = new AbortController();
    underWay.set(id, controller);
    const context = {
      signal: controller.signal,
      progress: (value: unknown) => send({ kind: 'progress', id, value }),
    };
    try {
      const method = (await methods)[name];
      if (method === undefined) throw new Error(`the worker has no method ${name}`);
      send({ kind: 'result', id, value: await method(context, ...(args as never[])) });
    } catch (error) {
      send({ kind: 'error', id, error: toSent(error) });
    } finally {
      underWay.delete(id);
    }
  };
  port.on('message', (message: ToWorker) => {
    if (message.kind === 'cancel') underWay.get(message.id)?.abort();
    else void answer(message.id, message.method, message.args);
  });
}
