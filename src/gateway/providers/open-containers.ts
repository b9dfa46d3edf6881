import { Containers } from '../../process/containers/containers.ts';
import { environmentFor } from '../../process/environment.ts';
import type { LoginPath } from '../../process/login-path.ts';
import { ContainerFiles } from '../../store/containers/container-files.ts';
import type { Log } from '../../telemetry/log.ts';

interface ContainerSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly log: Log;
  readonly loginPath: LoginPath;
}

/** Returns what ends the containers of upstreams, with records under `$VIADUCT_HOME`. */
export function openContainers({ env, home, log, loginPath }: ContainerSurroundings): Containers {
  const onError = (error: unknown) =>
    log.warn(
      { error },
      'records of containers cannot be read or written; if the gateway is killed, containers may be left running',
    );
  return new Containers({
    records: new ContainerFiles({ home, onError }),
    environment: (own) => environmentFor({ env: own, inheritEnv: false }, env, loginPath),
    onProblem: (error, message) => log.warn({ error, event: 'container-left' }, message),
  });
}
