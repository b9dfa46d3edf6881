/** The address that a gateway was to listen on. */
interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Says why an address cannot be listened on, and what to do.
 * @param error of the attempt to listen
 * @returns an error with that sentence as its message
 */
export function listenProblem(error: unknown, { host, port }: Address): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  return new Error(wordsFor(code, { host, port }) ?? `cannot listen on ${host}:${port}: ${message}`, { cause: error });
}

const OTHER_PORT = 'choose another with "viaduct serve --port 0" (0 takes a free one) or server.port in the config';

function wordsFor(code: string | undefined, { host, port }: Address): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is used by another program: end it, or ${OTHER_PORT} (EADDRINUSE; "viaduct doctor" says more)`;
    case 'EACCES':
      return `this user may not listen on port ${port} of ${host}: ${OTHER_PORT} (EACCES)`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `this machine has no address ${host}: correct --host, or server.host in the config (${code})`;
    default:
      return undefined;
  }
}
