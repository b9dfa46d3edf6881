/** Text that is not JSON at the place where it was read. `offset` counts bytes from the start of the scanned text. */
export class JsonTextError extends Error {
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(`${reason} at byte ${offset}`);
    this.name = 'JsonTextError';
    this.offset = offset;
  }
}
