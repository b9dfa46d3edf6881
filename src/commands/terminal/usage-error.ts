/** An error in the command line: a missing, unknown or malformed argument or option. The command exits with code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
