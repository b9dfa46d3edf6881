/** The entry can never be reached with its configuration: trying again would fail the same way. */
export class ImpossibleError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImpossibleError';
  }
}
