import path from 'node:path';
import { UriOwners } from '../../catalogue/uris/uri-owners.ts';
import { UriFiles } from '../../store/uris/uri-files.ts';
import type { Log } from '../../telemetry/log.ts';
import { realPath } from '../paths.ts';

/** Who owns which uri of a config's upstreams, as the gateway's own folder has it. */
export function openUriOwners({
  home,
  configPath,
  log,
}: {
  readonly home: string;
  readonly configPath: string;
  readonly log: Log;
}): UriOwners {
  return new UriOwners(
    new UriFiles({
      folder: path.join(home, 'uris'),
      config: realPath(configPath),
      onError: (error, message) => log.warn({ event: 'uris', error }, message),
    }),
  );
}
