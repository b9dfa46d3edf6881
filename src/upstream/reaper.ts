import { type ChildProcess, spawn } from 'node:child_process';

/**
 * Reads "+ group" and "- group" lines until the gateway's end of the pipe closes, in whatever way the gateway died,
 * then ends the groups that are left. A shell is enough for that and costs a megabyte. It ignores the signals that a
 * terminal sends to everything in it.
 */
const SCRIPT = `
trap '' HUP INT QUIT TERM
groups=' '
while read -r op group; do
  case $op in
    +) groups="$groups$group " ;;
    -) case $groups in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group"; done 2>/dev/null
[ "$groups" = ' ' ] || sleep 1
for group in $groups; do kill -s KILL -- "-$group"; done 2>/dev/null
exit 0
`;

/** Ends the process groups of upstreams if the gateway itself is killed. One small process, started with the first upstream. */
export class Reaper {
  #process: ChildProcess | undefined;
  readonly #groups = new Set<number>();

  /** From now on this group does not outlive the gateway. */
  add(group: number): void {
    this.#groups.add(group);
    if (this.#process === undefined) this.#start();
    else this.#tell(`+ ${group}`);
  }

  /** The group is gone; its number may be given to others. */
  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`- ${group}`);
  }

  #start(): void {
    if (process.platform === 'win32') return; // no process groups there; see docs/SECURITY.md
    const child = spawn('/bin/sh', ['-c', SCRIPT], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: process.env,
    });
    this.#process = child;
    const restart = () => {
      if (this.#process === child) this.#process = undefined;
    };
    child.on('error', restart);
    child.on('exit', restart);
    child.stdin?.on('error', restart);
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    for (const group of this.#groups) this.#tell(`+ ${group}`);
  }

  #tell(line: string): void {
    this.#process?.stdin?.write(`${line}\n`);
  }
}
