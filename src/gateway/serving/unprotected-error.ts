import type { ExposureProblem } from '../../config/server/exposure.ts';

/** Others than this machine's users could reach the gateway, and nothing would keep them out. */
export class UnprotectedError extends Error {
  constructor(host: string, { message, hint }: ExposureProblem) {
    super(`it does not listen on ${host}: ${message} (${hint})`);
    this.name = 'UnprotectedError';
  }
}
