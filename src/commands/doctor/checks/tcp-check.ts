import type { ServerConfig } from '../../../config/schema.ts';
import { tcpExposureProblem } from '../../../config/server/exposure.ts';
import { listenUrl } from '../../../core/addresses/listen-address.ts';
import { type TcpPlace, tcpPlaceOf } from '../../../gateway/serving/tcp-address.ts';
import type { Check } from './check.ts';
import { type Gateways, listenFault } from './daemon-checks.ts';

const NAME = 'tcp';

/** Checks that `viaduct serve` can take clients that speak in lines, where it is to do that; no check where it is not. */
export async function checkTcp(
  server: ServerConfig,
  env: Readonly<Record<string, string | undefined>>,
  gateways: Gateways,
): Promise<Check[]> {
  const place = tryPlace(server, env);
  if (place === undefined) return [];
  if (place instanceof Error) {
    return [{ name: NAME, mark: 'fail', text: place.message, fix: 'correct the variable, or unset it' }];
  }
  return [checkExposure(place, server) ?? (await checkPlace(place, server, gateways))];
}

function tryPlace(server: ServerConfig, env: Readonly<Record<string, string | undefined>>) {
  try {
    return tcpPlaceOf(server, env);
  } catch (error) {
    return error as Error;
  }
}

function checkExposure({ address, source }: TcpPlace, { tokens, oauth, tls }: ServerConfig): Check | undefined {
  const proofs = { tokens: tokens !== undefined, oauth: oauth !== undefined };
  const problem = tcpExposureProblem(address, { ...proofs, tls: tls !== undefined });
  if (problem === undefined) return undefined;
  return { name: NAME, mark: 'fail', text: `${source}: ${problem.message}`, fix: problem.hint };
}

async function checkPlace({ address, source }: TcpPlace, { tls }: ServerConfig, { own }: Gateways): Promise<Check> {
  const url = listenUrl(address, tls !== undefined);
  const says = `${url} (${source})`;
  if (own?.tcp === url)
    return { name: NAME, mark: 'ok', text: `${says} is used by the gateway of this config (pid ${own.pid})` };
  if (address.path !== undefined || address.port === 0) return { name: NAME, mark: 'ok', text: says };
  const problem = await listenFault(address.host, address.port);
  if (problem === undefined) return { name: NAME, mark: 'ok', text: `${says} is free` };
  const fix = `choose another address in ${source}; find the program that uses it: lsof -nP -iTCP:${address.port} -sTCP:LISTEN`;
  return { name: NAME, mark: 'fail', text: `${says} cannot be listened on (${problem})`, fix };
}
