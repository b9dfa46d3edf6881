import { setTimeout as delay } from 'node:timers/promises';
import type { ContainerEngine, ContainerTarget } from '../../core/stores/container-records.ts';
import { runEngine } from './run-engine.ts';

/** Containers that we have started have this label, with a value that no other container has. */
const LABEL = 'viaduct.process';
/** Programs that we have started in containers of others have this variable, and so has what they start. */
const VARIABLE = 'VIADUCT_CONTAINER_PROCESS';

const PAUSE_MS = 150;
/** A container that a killed client has asked for last comes into being within this time. */
const [LATE_LOOKS, LATE_MS] = [3, 300];
const ID = /^[\da-f]{12,64}$/;
const IS_GONE = /no such container|is not running|container state improper|has exited/i;

/**
 * Kills every process in a container whose environment has the variable. The smallest images have `grep`. It is started once
 * for all processes: once for each takes longer than the engine may take where there are many of them.
 */
const KILL_MARKED = `for file in $(grep -lsF "${VARIABLE}=$1" /proc/[0-9]*/environ); do
  pid=\${file#/proc/}
  kill -KILL "\${pid%/environ}"
done
exit 0`;

/** Returns the options by which `run` or `exec` makes what it starts known to `endTarget`. */
export function markingOptions(target: ContainerTarget): readonly string[] {
  return target.kind === 'run' ? ['--label', `${LABEL}=${target.mark}`] : ['--env', `${VARIABLE}=${target.mark}`];
}

export interface EndOptions {
  readonly signal: AbortSignal;
  /** The client was killed: what it had asked for last may come into being after the first look. */
  readonly isSuspect?: boolean;
}

/**
 * Ends what was started with a mark, and returns once it is gone: a container is killed, and removed where its command line
 * says `--rm`.
 * @throws Error when the engine cannot be asked, or the container is still there when the signal comes
 */
export function endTarget(engine: ContainerEngine, target: ContainerTarget, options: EndOptions): Promise<void> {
  return target.kind === 'run' ? endContainers(engine, target, options) : endProcesses(engine, target, options.signal);
}

type RunTarget = ContainerTarget & { readonly kind: 'run' };
type ExecTarget = ContainerTarget & { readonly kind: 'exec' };

async function endContainers(
  engine: ContainerEngine,
  target: RunTarget,
  { signal, isSuspect = false }: EndOptions,
): Promise<void> {
  let ids = await findContainers(engine, target, signal);
  for (let look = 0; isSuspect && ids.length === 0 && look < LATE_LOOKS; look += 1) {
    await delay(LATE_MS, undefined, { signal });
    ids = await findContainers(engine, target, signal);
  }
  for (let attempt = 0; ids.length > 0; attempt += 1) {
    // Not `rm -f` at once: that of podman waits ten seconds. An engine refuses what is being done already; the next look tells.
    const words = attempt === 0 || !target.isRemoved ? ['kill', ...ids] : ['rm', '-f', ...ids];
    const { problem } = await runEngine(engine, words, signal);
    if (attempt > 0) await delay(PAUSE_MS, undefined, { signal }).catch(() => remains(ids, problem));
    ids = await findContainers(engine, target, signal);
  }
}

function remains(ids: readonly string[], problem: string): never {
  throw new Error(`the container ${ids.join(', ')} is still there: ${problem || 'the engine does not say why'}`);
}

/** One that is not removed by itself is left as it is when it has ended, as its command line asks. */
async function findContainers(
  engine: ContainerEngine,
  { mark, isRemoved }: RunTarget,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const words = ['ps', ...(isRemoved ? ['-a'] : []), '-q', '--no-trunc', '--filter', `label=${LABEL}=${mark}`];
  const { code, stdout, problem } = await runEngine(engine, words, signal);
  if (code !== 0) throw new Error(`the container engine does not list containers: ${problem || `exit code ${code}`}`);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s/)[0]!)
    .filter((word) => ID.test(word));
}

async function endProcesses(
  engine: ContainerEngine,
  { mark, container, user }: ExecTarget,
  signal: AbortSignal,
): Promise<void> {
  const who = user === undefined ? [] : ['--user', user];
  const words = ['exec', ...who, container, 'sh', '-c', KILL_MARKED, 'sh', mark];
  const { code, problem } = await runEngine(engine, words, signal);
  if (code !== 0 && !IS_GONE.test(problem)) {
    throw new Error(`programs in the container ${container} may still run: ${problem || `exit code ${code}`}`);
  }
}
