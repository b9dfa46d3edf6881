import path from 'node:path';
import type { AgentServer } from '../../agents/agent-server.ts';

/** How this gateway can be reached. */
export interface OwnAddress {
  /** The file of this program: an agent may run it as one of its servers. */
  readonly ownScript: string | undefined;
  /** The port that the config names, where it names one. */
  readonly ownPort?: number | undefined;
}

/** Of `server.port`. */
const DEFAULT_PORT = 31_415;
/** As npx is given it. */
const PACKAGE = /^(?:--package=)?(?:mcp-)?viaduct(?:@[\w.-]+)?$/;
/** The program in a folder into which npm has installed it. */
const INSTALLED = /[\\/]node_modules[\\/]mcp-viaduct[\\/]dist[\\/]main\.js$/;
const LOOPBACK = /^(?:127(?:\.\d+){3}|localhost|\[::1\])$/;

/** By its name, by its package, by the very file that runs here, or by its url. */
export function isOurselves(
  { command, args, url }: AgentServer,
  { ownScript, ownPort = DEFAULT_PORT }: OwnAddress,
): boolean {
  if (command !== undefined) {
    if (path.basename(command).replace(/\.(?:cmd|exe|ps1)$/i, '') === 'viaduct') return true;
    return args.some(
      (arg) => PACKAGE.test(arg) || INSTALLED.test(arg) || (ownScript !== undefined && arg === ownScript),
    );
  }
  if (url === undefined || !URL.canParse(url)) return false;
  const { hostname, port, pathname } = new URL(url);
  return LOOPBACK.test(hostname) && port === String(ownPort) && /^\/mcp(?:\/|$)/.test(pathname);
}
