import type { ChildProcess } from 'node:child_process';
import { ImpossibleError } from '../../core/impossible-error.ts';
import type { StdioEntry } from '../../core/settings/upstream-entry.ts';
import { LineSplitter } from '../../core/text/line-splitter.ts';
import { PacedInput } from '../../core/timing/paced-input.ts';
import { environmentFor } from '../../process/environment.ts';
import { findCommand } from '../../process/find-command.ts';
import type { ProcessTree } from '../../process/process-group.ts';
import { type SpawnOptions, spawnTree } from '../../process/spawn-tree.ts';
import type { Bytes } from '../../wire/bytes.ts';
import { LineStream } from './lines/line-stream.ts';
import { ServerProcess } from './stdio/server-process.ts';
import { defineTransport, shareOf, type Transport, type TransportContext, type TransportEvents } from './transport.ts';

/** The time in which the last output of an ended process is still read from the pipe, in milliseconds. */
const DRAIN_MS = 200;

/** A child process that speaks newline-delimited JSON-RPC (MCP transports, "stdio"). */
export const stdio = defineTransport({
  async open(entry: StdioEntry, events, context) {
    const { file, env } = await findCommand(
      entry,
      await environmentFor(entry, context.env, context.loginPath),
      context.loginPath,
    );
    const options = { file, args: entry.args, cwd: entry.cwd, env };
    const container = await context.containers.admit(options);
    const tree = await started(container?.options ?? options, entry, context).catch((error: unknown) => {
      container?.forget();
      throw error;
    });
    return new StdioTransport(new ServerProcess({ tree, container, reaper: context.reaper }), events, context);
  },
});

async function started(options: SpawnOptions, entry: StdioEntry, { reaper }: TransportContext): Promise<ProcessTree> {
  const tree = spawnTree(options, reaper);
  try {
    await tree.running;
    return tree;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `"${entry.command}" could not be started: ${message}`;
    const isFinal = code === 'ENOENT' || code === 'EACCES' || code === 'ENOEXEC';
    throw isFinal ? new ImpossibleError(text) : new Error(text, { cause: error });
  }
}

class StdioTransport implements Transport {
  readonly pid: number | undefined;
  readonly wasReached = true;
  readonly #process: ServerProcess;
  readonly #events: TransportEvents;
  readonly #context: Pick<TransportContext, 'log' | 'maxFrameBytes'>;
  readonly #lines: LineStream;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(
    process: ServerProcess,
    events: TransportEvents,
    context: Pick<TransportContext, 'log' | 'maxFrameBytes'>,
  ) {
    this.#process = process;
    this.#events = events;
    this.#context = context;
    this.pid = process.child.pid;
    this.#lines = this.#openLines(process.child);
    this.#readStderr(process.child);
    this.#watchEnd(process.child);
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
    this.#isClosed = true;
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  #stop(): Promise<void> {
    this.#lines.stop();
    return this.#process.stop();
  }

  #openLines(child: ChildProcess): LineStream {
    const input = child.stdout!;
    input.on('error', (error) => this.#end(`reading its standard output failed: ${error.message}`));
    const onEnd = () => {
      // A process that can no longer be heard is as good as gone. Its exit, if it follows, says more.
      setTimeout(() => this.#end('closed its standard output'), DRAIN_MS).unref();
    };
    return new LineStream({ input, output: child.stdin!, limits: this.#context, onEnd }, this.#events);
  }

  /** Always drained: a child whose stderr is not read blocks in the middle of a call. */
  #readStderr(child: ChildProcess): void {
    const lines = new LineSplitter((line) => this.#events.onStderr(line));
    const stderr = child.stderr!;
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

  #watchEnd(child: ChildProcess): void {
    child.on('error', (error) => this.#context.log.debug({ error }, 'signalling a process failed'));
    child.on('exit', (code, signal) => {
      const reason = signal === null ? `process exited (code ${code})` : `process exited (signal ${signal})`;
      const end = () => this.#end(reason);
      // `close` waits for descendants that hold the pipe open; the exit itself is what counts.
      child.once('close', end);
      setTimeout(end, DRAIN_MS).unref();
    });
    // EPIPE: the process stopped reading. Its exit follows at once, or it is deaf and must be replaced.
    child.stdin!.on('error', (error) => {
      setTimeout(() => this.#end(`writing to its standard input failed: ${error.message}`), DRAIN_MS).unref();
    });
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#process.terminate();
    this.#closing ??= this.#stop();
    this.#events.onClosed(reason);
  }
}
