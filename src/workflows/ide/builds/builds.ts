import type { Build } from '../../../core/builds/build-store.ts';
import type { CallContext } from '../../define.ts';

/** Builds of the projects that clients work in. */
export interface IdeBuilds {
  /** Starts a named build command of the config. */
  start(name: string, context: CallContext): Promise<Build>;
  /** @throws GatewayError `BUILD_NOT_FOUND` */
  get(id: string, context: CallContext): Promise<Build>;
  list(query: { repo?: string; limit?: number }, context: CallContext): Promise<readonly Build[]>;
  logs(id: string, tail: number | undefined, context: CallContext): Promise<readonly string[]>;
  /** Named build commands of the config; `ide_build_start` is listed only if there are any. */
  readonly names: readonly string[];
  /** Builds for the dashboard, from `since` on in milliseconds since 1970; `projects` undefined for all projects. */
  since(projects: readonly string[] | undefined, since: number): Promise<readonly Build[]>;
  stop(): Promise<void>;
}
