import { GatewayError } from '../core/errors.ts';
import type { CallingClient } from './define.ts';

/** Returns true if a client may use the data of a project; `undefined` stands for data that names no project. */
export function mayUse({ scope }: CallingClient, projectId: string | undefined): boolean {
  return scope?.allowsProject(projectId) ?? true;
}

/**
 * Refuses a change of data that a client may not use, whether the project exists or not. `what` is how the message names the
 * project, such as "the project acme".
 * @throws GatewayError when the client may not use the project
 */
export function requireProject(client: CallingClient, projectId: string | undefined, what: string): void {
  if (mayUse(client, projectId)) return;
  const message = `This client may not use ${what}: "projects" of its token or profile in the config does not include it`;
  throw new GatewayError('OUTSIDE_PROJECTS', message, { effect: 'none' });
}
