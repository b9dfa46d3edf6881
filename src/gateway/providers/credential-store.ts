import path from 'node:path';
import { CredentialFiles } from '../../store/credentials/credential-files.ts';
import type { Log } from '../../telemetry/log.ts';

/** The logins of this user, shared by all gateways with this home folder. */
export function openCredentialStore({
  home,
  env,
  log,
}: {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}): CredentialFiles {
  return new CredentialFiles({
    folder: path.join(home, 'auth'),
    usesKeychain: env.VIADUCT_KEYRING !== 'off',
    onError: (error, message) => log.error({ event: 'auth', error }, message),
  });
}
