import type { Duplex } from 'node:stream';
import type { RunningDaemon } from '../../gateway/serving/daemon-record.ts';
import { introductionOf } from './shim/introduction.ts';
import { Shim } from './shim/shim.ts';
import type { StdioClient, StdioServing } from './stdio-client.ts';

/**
 * Serves a client through a running gateway, and through the one that takes its place if it ends.
 * @param reconnect connects to the next gateway, or starts it; resolves to `undefined` if there is none yet, and throws if
 *   there will be none for this client
 */
export function attach(
  { socket }: RunningDaemon,
  client: StdioClient & { readonly depth: number },
  reconnect: () => Promise<Duplex | undefined>,
): StdioServing {
  const shim = new Shim(socket, { ...client, introduction: introductionOf(client), finder: { reconnect } });
  return { ended: shim.ended, stop: async (reason) => shim.stop(reason) };
}
