import type { AgentServer } from '../../agents/agent-server.ts';
import { argumentsOfViaduct } from '../../agents/own-program.ts';

/** Ways to reach this gateway. */
export interface OwnAddress {
  /** The file of this program: an agent may run it as one of its servers. */
  readonly ownScript: string | undefined;
  /** The port that the config names, where it names one. */
  readonly ownPort?: number | undefined;
}

/** Default of `server.port`. */
const DEFAULT_PORT = 31_415;
const LOOPBACK = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/;

/** Returns whether a server of an agent is Viaduct, judging by its program or its URL. */
export function isOurselves(
  { command, args, url }: Pick<AgentServer, 'command' | 'args' | 'url'>,
  { ownScript, ownPort = DEFAULT_PORT }: OwnAddress,
): boolean {
  if (command !== undefined) return argumentsOfViaduct({ command, args }, ownScript) !== undefined;
  if (url === undefined || !URL.canParse(url)) return false;
  const { hostname, port, pathname } = new URL(url);
  return LOOPBACK.test(hostname) && port === String(ownPort) && /^\/mcp(?:\/|$)/.test(pathname);
}
