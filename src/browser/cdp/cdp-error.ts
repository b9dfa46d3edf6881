/** A command that the browser refused, or whose target has gone. */
export class CdpError extends Error {
  readonly method: string;
  /** True if the target or the whole browser has gone, so that later commands fail too. */
  readonly isGone: boolean;

  constructor(method: string, message: string, isGone = false) {
    super(message);
    this.name = 'CdpError';
    this.method = method;
    this.isGone = isGone;
  }
}
