import path from 'node:path';
import { UriOwners } from '../../catalogue/uris/uri-owners.ts';
import { UriFiles } from '../../store/uris/uri-files.ts';
import { realPath } from '../settings/paths.ts';
import type { ConfigHome } from './pin-store.ts';

/** Opens the record of which upstream of a config owns which uri, kept in the gateway's own folder. */
export function openUriOwners({ home, configPath, log }: ConfigHome): UriOwners {
  return new UriOwners(
    new UriFiles({
      folder: path.join(home, 'uris'),
      config: realPath(configPath),
      onError: (error, message) => log.warn({ event: 'uris', error }, message),
    }),
  );
}
