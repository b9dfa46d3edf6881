import type { ChildProcess } from 'node:child_process';
import spawn from 'cross-spawn';
import { ImpossibleError } from '../../core/impossible-error.ts';
import { LineSplitter } from '../../core/line-splitter.ts';
import { PacedInput } from '../../core/paced-input.ts';
import type { StdioEntry } from '../../core/upstream-entry.ts';
import { environmentFor } from '../../process/environment.ts';
import { findCommand } from '../../process/find-command.ts';
import { TREE_VARIABLE } from '../../process/process-table.ts';
import { hasExited, signalGroup, stopTree } from '../../process/process-group.ts';
import type { Bytes } from '../../wire/bytes.ts';
import { LineStream } from './lines/line-stream.ts';
import { defineTransport, shareOf, type Transport, type TransportContext, type TransportEvents } from './transport.ts';

/** After the process has ended, its last words may still be in the pipe. */
const DRAIN_MS = 200;

/** A child process that speaks newline-delimited JSON-RPC (MCP transports, "stdio"). */
export const stdio = defineTransport({
  async open(entry: StdioEntry, events, context) {
    const { file, env } = await findCommand(
      entry,
      await environmentFor(entry, context.env, context.loginPath),
      context.loginPath,
    );
    const mark = context.reaper.newMark();
    const child = spawn(file, [...entry.args], {
      cwd: entry.cwd,
      env: { ...env, [TREE_VARIABLE]: mark },
      // A group of its own: it can be ended with all its descendants, and a terminal's Ctrl-C does not reach it.
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    await spawned(child, entry);
    return new StdioTransport(child, mark, events, context);
  },
});

function spawned(child: ChildProcess, entry: StdioEntry): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error: NodeJS.ErrnoException) => {
      const final = error.code === 'ENOENT' || error.code === 'EACCES' || error.code === 'ENOEXEC';
      const message = `"${entry.command}" could not be started: ${error.message}`;
      reject(final ? new ImpossibleError(message) : new Error(message, { cause: error }));
    });
  });
}

class StdioTransport implements Transport {
  readonly pid: number | undefined;
  readonly wasReached = true;
  readonly #child: ChildProcess;
  readonly #mark: string;
  readonly #events: TransportEvents;
  readonly #context: TransportContext;
  readonly #lines: LineStream;
  #closed = false;
  #closing: Promise<void> | undefined;

  constructor(child: ChildProcess, mark: string, events: TransportEvents, context: TransportContext) {
    this.#child = child;
    this.#mark = mark;
    this.#events = events;
    this.#context = context;
    this.pid = child.pid;
    this.#lines = this.#openLines();
    if (child.pid !== undefined) context.reaper.add(child.pid);
    this.#readStderr();
    this.#watchEnd();
  }

  get queuedBytes(): number {
    return this.#lines.queuedBytes;
  }

  send(frame: Bytes): void {
    this.#lines.send(frame);
  }

  reward(): void {
    this.#lines.reward();
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  async #stop(): Promise<void> {
    this.#lines.stop();
    const isGone = await stopTree({ child: this.#child, mark: this.#mark });
    if (this.#child.pid !== undefined && isGone) this.#context.reaper.remove(this.#child.pid);
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  #openLines(): LineStream {
    const input = this.#child.stdout!;
    input.on('error', (error) => this.#end(`reading its standard output failed: ${error.message}`));
    const onEnd = () => {
      // A process that can no longer be heard is as good as gone. Its exit, if it follows, says more.
      setTimeout(() => this.#end('closed its standard output'), DRAIN_MS).unref();
    };
    const { maxFrameBytes } = this.#context;
    return new LineStream({ input, output: this.#child.stdin!, maxFrameBytes, onEnd }, this.#events);
  }

  /** Always drained: a child whose stderr is not read blocks in the middle of a call. */
  #readStderr(): void {
    const lines = new LineSplitter((line) => this.#events.onStderr(line));
    const stderr = this.#child.stderr!;
    const consumer = {
      consume: (chunk: Buffer) => {
        lines.push(chunk);
        return chunk.length;
      },
      onEnd: () => lines.end(),
    };
    new PacedInput(stderr, consumer, { share: () => shareOf(this.#events) });
    stderr.on('error', (error) => this.#context.log.debug({ error }, 'reading standard error failed'));
  }

  #watchEnd(): void {
    this.#child.on('error', (error) => this.#context.log.debug({ error }, 'signalling a process failed'));
    this.#child.on('exit', (code, signal) => {
      const reason = signal === null ? `process exited (code ${code})` : `process exited (signal ${signal})`;
      const end = () => this.#end(reason);
      // `close` waits for descendants that hold the pipe open; the exit itself is what counts.
      this.#child.once('close', end);
      setTimeout(end, DRAIN_MS).unref();
    });
    // EPIPE: the process stopped reading. Its exit follows at once, or it is deaf and must be replaced.
    this.#child.stdin!.on('error', (error) => {
      setTimeout(() => this.#end(`writing to its standard input failed: ${error.message}`), DRAIN_MS).unref();
    });
  }

  #end(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    if (!hasExited(this.#child)) signalGroup(this.#child.pid, 'SIGTERM');
    this.#closing ??= this.#stop();
    this.#events.onClosed(reason);
  }
}
