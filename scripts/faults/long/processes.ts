import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The text of a file under /proc, `''` where it is gone or not ours to read. */
function readProc(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

export interface Found {
  readonly pid: number;
  /** Its command line, for people. */
  readonly command: string;
}

/**
 * Processes whose command line or environment has `token` in it. Zombies have neither and are not found; children of a
 * process that is found are, where they inherited its environment. Linux only.
 */
export function processesWith(token: string): Found[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    const command = readProc(`/proc/${name}/cmdline`);
    if (!command.includes(token) && !readProc(`/proc/${name}/environ`).includes(token)) return [];
    return [{ pid: Number(name), command: command.replace(/[\s\0]+/g, ' ').slice(0, 160) }];
  });
}

/** Those of `processesWith` that carry the token on their command line. */
export function commandsWith(token: string): Found[] {
  return processesWith(token).filter(({ command }) => command.includes(token));
}

/** How many file descriptors a process has open. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** How many sockets a process has open: connections and pipes to its children, but no files. */
export function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((fd) => kindOf(`${folder}/${fd}`).startsWith('socket:')).length;
}

/** Empty for a descriptor that was closed meanwhile. */
function kindOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    return '';
  }
}
