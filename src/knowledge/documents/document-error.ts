/** A document cannot be read. The message says why, without naming the document, and what to do where there is something. */
export class DocumentError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DocumentError';
  }
}
