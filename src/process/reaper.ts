import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { TREE_VARIABLE } from './process-table.ts';

/**
 * Reads "+ group" and "- group" lines until the gateway's end of the pipe closes, however the gateway died,
 * then ends the groups that are left and, where there is /proc, all processes with the gateway's mark. A shell is
 * enough for that and costs a megabyte. It ignores the signals that a terminal sends to everything in it.
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
marked() {
  [ -d /proc/self ] || return 0
  grep -lsF -- "${TREE_VARIABLE}=$1." /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
}
end() {
  left=
  for group in $groups; do kill -s "$2" -- "-$group" && left=1; done 2>/dev/null
  for pid in $(marked "$1"); do kill -s "$2" "$pid" && left=1; done 2>/dev/null
}
end "$1" TERM
[ -z "$left" ] || sleep 1
# Twice, for what was started in between.
end "$1" KILL
[ -z "$left" ] || end "$1" KILL
exit 0
`;

/** The time before it is started again, in milliseconds, so that it is not restarted in a loop where it cannot run. */
const RESTART_MS = 1_000;

/** Ends what the gateway has started if it is killed itself. One small process, which is there before the first of them. */
export class Reaper {
  #process: ChildProcess | undefined;
  readonly #groups = new Set<number>();
  readonly #token = randomBytes(16).toString('hex');
  #marks = 0;

  /** Returns a mark for the environment of a process that is about to be started, which all its descendants inherit. */
  newMark(): string {
    // Now, so that the mark is recorded from the process's first moment on.
    if (this.#process === undefined) this.#start();
    return `${this.#token}.${++this.#marks}`;
  }

  /** Adds a group that must not outlive the gateway from now on. */
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
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'viaduct-reaper', this.#token], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: process.env,
    });
    this.#process = child;
    const lose = () => {
      if (this.#process !== child) return;
      this.#process = undefined;
      if (this.#groups.size > 0) setTimeout(() => this.#startAgain(), RESTART_MS).unref();
    };
    child.on('error', lose);
    child.on('exit', lose);
    child.stdin?.on('error', lose);
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    for (const group of this.#groups) this.#tell(`+ ${group}`);
  }

  /** Starts again after something has killed it, to look after the running processes. */
  #startAgain(): void {
    if (this.#process === undefined && this.#groups.size > 0) this.#start();
  }

  #tell(line: string): void {
    this.#process?.stdin?.write(`${line}\n`);
  }
}
