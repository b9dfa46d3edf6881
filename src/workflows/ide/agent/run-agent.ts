import type { ChildProcess } from 'node:child_process';
import { GatewayError } from '../../../core/errors.ts';
import { lastWordsOf } from '../../../core/refusals/last-words.ts';
import { withTimeout } from '../../../core/timing/timeout.ts';
import { type EndingStep, endTree } from '../../../process/process-group.ts';
import type { Reaper } from '../../../process/reaper.ts';
import { type SpawnedTree, type SpawnOptions, spawnTree } from '../../../process/spawn-tree.ts';
import { redact } from '../../../redaction/redact.ts';
import type { Log } from '../../../telemetry/log.ts';
import { AgentOutput } from './agent-output.ts';

/** Steps that end the rest of an agent, with everything that it has started. */
const ENDING: readonly EndingStep[] = [
  { signal: 'SIGTERM', withinMs: 1_000 },
  { signal: 'SIGKILL', withinMs: 1_500 },
];
/** The time to wait for its last output after all of its processes have ended, in milliseconds. */
const LAST_WORDS_MS = 500;
const STOPPED = 'a stop';

export interface AgentRun {
  readonly spawn: SpawnOptions;
  /** Goes to its standard input, which ends then. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Gets each line of its standard output, and throws what the agent is ended with. */
  readonly onLine?: ((line: string) => void) | undefined;
  /** Replaces known secrets in what is told of its standard error. */
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

interface Surroundings {
  readonly reaper: Reaper;
  readonly log: Log;
}

/**
 * Runs an agent to its end and ends all that it has started.
 * @returns its standard output
 * @throws GatewayError `AGENT_FAILED` when it cannot be started, fails, runs too long or writes too much; the reason of `signal`;
 *   what `onLine` throws
 */
export async function runAgent(run: AgentRun, surroundings: Surroundings): Promise<string> {
  run.signal.throwIfAborted();
  const tree = await started(run.spawn, surroundings.reaper);
  const stop = new AbortController();
  const late = () => stop.abort(agentFailed(`it has not answered within ${run.timeoutMs} ms (timeoutMs)`));
  const timer = setTimeout(late, run.timeoutMs);
  const output = new AgentOutput(tree.child.stdout!, tree.child.stderr!, {
    maxBytes: run.maxOutputBytes,
    onTooMuch: () => stop.abort(agentFailed(`it has written more than ${run.maxOutputBytes} bytes (maxOutputBytes)`)),
    onLine: run.onLine === undefined ? undefined : lineReader(run.onLine, stop),
  });
  give(tree.child, run.input);
  try {
    const end = await endOf(tree.child, AbortSignal.any([run.signal, stop.signal]));
    clearTimeout(timer);
    await endAll(tree, output, surroundings);
    // After its end the answer exists, even if no client waits for it any more.
    if (end === STOPPED) run.signal.throwIfAborted();
    if (stop.signal.aborted) throw withLastWords(stop.signal.reason, output, run.mask);
    if (end !== 'exit code 0') throw withLastWords(agentFailed(`it ended with ${end}`), output, run.mask);
    return output.text;
  } finally {
    clearTimeout(timer);
  }
}

/** @param why goes on after "The agent has failed: " */
export function agentFailed(why: string, cause?: unknown): GatewayError {
  return new GatewayError('AGENT_FAILED', `The agent has failed: ${why}`, { cause });
}

async function started(spawn: SpawnOptions, reaper: Reaper): Promise<SpawnedTree> {
  try {
    const tree = spawnTree(spawn, reaper);
    await tree.running;
    return tree;
  } catch (error) {
    throw agentFailed(`${spawn.file} could not be started: ${(error as Error).message}`, error);
  }
}

function lineReader(onLine: (line: string) => void, stop: AbortController): (line: string) => void {
  return (line) => {
    try {
      onLine(line);
    } catch (error) {
      stop.abort(error);
    }
  };
}

function give({ stdin }: ChildProcess, input: string): void {
  // An agent need not read it, and may end before it has.
  stdin!.on('error', () => undefined);
  stdin!.end(input);
}

/** Resolves with how the agent ended, or as soon as it must be ended. */
function endOf(child: ChildProcess, signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    const onAbort = () => resolve(STOPPED);
    const settle = (how: string) => {
      signal.removeEventListener('abort', onAbort);
      resolve(how);
    };
    child.once('exit', (code, by) => settle(by === null ? `exit code ${code}` : by));
    // Instead of its exit, where a command interpreter says that there is no such program.
    child.on('error', ({ message }) => settle(message));
    if (child.exitCode !== null || child.signalCode !== null) settle(child.signalCode ?? `exit code ${child.exitCode}`);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

async function endAll(tree: SpawnedTree, output: AgentOutput, { reaper, log }: Surroundings): Promise<void> {
  const isGone = await endTree(tree, ENDING);
  if (isGone) reaper.remove(tree.child.pid!);
  else log.warn({ pid: tree.child.pid }, 'the agent of a chat, or what it has started, cannot be ended');
  // A stranger that has got hold of its pipes is not waited for.
  await withTimeout(output.closed, LAST_WORDS_MS, () => new Error('late')).catch(() => undefined);
  output.end();
}

function withLastWords(error: unknown, { errors }: AgentOutput, mask: AgentRun['mask']): unknown {
  const words = lastWordsOf(redact(errors.map(mask)).value);
  if (words === '' || !(error instanceof GatewayError)) return error;
  return new GatewayError(error.code, `${error.message}. ${words}`, { ...error.detail, cause: error });
}
