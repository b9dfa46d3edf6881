import type { ServerConfig } from '../../config/schema.ts';
import { type ListenAddress, readListenAddress } from '../../core/addresses/listen-address.ts';

/** The variable with the address for clients that speak line-based JSON-RPC, named as in go-ai. */
export const ADDRESS_VARIABLE = 'MCP_ADDR';

/** The address to listen on, and the setting that it comes from. */
export interface TcpPlace {
  readonly address: ListenAddress;
  readonly source: typeof ADDRESS_VARIABLE | 'server.tcp';
}

/**
 * Returns where to listen for clients that speak in lines: what the variable says, else what the config says; `undefined`
 * for nowhere.
 * @throws Error if the variable is no address
 */
export function tcpPlaceOf(
  { tcp }: Pick<ServerConfig, 'tcp'>,
  env: Readonly<Record<string, string | undefined>>,
): TcpPlace | undefined {
  const text = env[ADDRESS_VARIABLE]?.trim() ?? '';
  if (text === '') return tcp === undefined ? undefined : { address: tcp, source: 'server.tcp' };
  const address = readListenAddress(text);
  if (address !== undefined) return { address, source: ADDRESS_VARIABLE };
  throw new Error(
    `the environment variable ${ADDRESS_VARIABLE} is not an address: ${JSON.stringify(text)}. Set it to host:port, such as :9100, or to the absolute path of a Unix socket`,
  );
}
