import type { Readable, Writable } from 'node:stream';

export interface StdioServing {
  /** Resolves when the client has gone; `clean` is whether the client itself ended the connection. */
  readonly ended: Promise<{ readonly clean: boolean; readonly reason: string }>;
  stop(reason: string): Promise<void>;
}

/** The program that started `viaduct stdio`. */
export interface StdioClient {
  readonly input: Readable;
  readonly output: Writable;
  /** The folder it was started in. */
  readonly folder: string;
  /** The profile of its client. */
  readonly profile: string;
}
