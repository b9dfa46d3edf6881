/** Text that is not JSON at the place where it was read. `offset` counts bytes from the start of the scanned text. */
export class JsonTextError extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    // It is thrown for every line of a peer that is no JSON: a stack would cost more than all the rest of that line.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(`${reason} at byte ${offset}`);
    Error.stackTraceLimit = limit;
    this.name = 'JsonTextError';
    this.offset = offset;
  }
}
