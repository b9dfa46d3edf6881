import path from 'node:path';
import { PinFiles } from '../../store/pin-files.ts';
import type { Log } from '../../telemetry/log.ts';
import { realPath } from '../settings/paths.ts';

/** Locates the gateway's own files about the upstreams of a config. */
export interface ConfigHome {
  readonly home: string;
  readonly configPath: string;
  readonly log: Log;
}

/** Returns the pins of a config's upstreams, in the gateway's own folder. */
export function openPinStore({ home, configPath, log }: ConfigHome): PinFiles {
  return new PinFiles({
    folder: path.join(home, 'pins'),
    config: realPath(configPath),
    onError: (error, message) => log.error({ event: 'pins', error }, message),
  });
}
