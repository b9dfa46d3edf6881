import type { Log } from '../../telemetry/log.ts';
import type { Link } from './link.ts';

/**
 * Sends a request of the gateway's own. Resolves to whether it was answered with a result; no more than that becomes of it.
 * Never rejects.
 */
export async function quietRequest(
  link: Link | undefined,
  method: string,
  params: unknown,
  { ms, log }: { readonly ms: number; readonly log: Log },
): Promise<boolean> {
  if (link === undefined) return false;
  try {
    const { error } = await link.request(method, params, ms);
    if (error !== undefined) log.debug({ method, params }, 'the server refused a request of our own');
    return error === undefined;
  } catch (error) {
    log.debug({ error, method }, 'a request of our own failed');
    return false;
  }
}
