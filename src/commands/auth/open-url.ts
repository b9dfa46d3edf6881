import { spawn } from 'node:child_process';

/** Commands that open a URL on each system, without a shell. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Returns whether a browser can probably be shown to a user on this machine. */
export function hasBrowser(env: NodeJS.ProcessEnv, isTerminal: boolean): boolean {
  if (!isTerminal || env.SSH_CONNECTION !== undefined || env.SSH_TTY !== undefined) return false;
  if (process.platform !== 'linux') return true;
  return env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined;
}

/** Opens an address in the user's browser. That it did not work is seen by the user, who has the address too. */
export function openUrl(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
