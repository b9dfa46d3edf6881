import { parsePostgresUrl, passwordsIn } from '../../../core/addresses/postgres-url.ts';
import { shownPlace } from '../../../core/addresses/shown-place.ts';
import type { EngineManifest } from './manifest.ts';

export const postgres: EngineManifest = {
  name: 'PostgreSQL',
  urls: {
    protocols: ['postgres:', 'postgresql:'],
    hint: 'write postgres://USER:PASSWORD@HOST:PORT/DATABASE, with "/" and "?" in the password as %2F and %3F',
    isValid: (text) => parsePostgresUrl(text) !== undefined,
    passwordsIn,
  },
  shownPlace: ({ url = '' }) => shownPlace(url),
  load: async () => (await import('../postgres/postgres-code.ts')).postgresCode,
  async openKnowledge({ url = '' }) {
    const { openPostgresSql } = await import('../../knowledge/postgres-sql.ts');
    const { postgresTerms } = await import('../../knowledge/postgres-terms.ts');
    return { sql: await openPostgresSql(url), terms: postgresTerms };
  },
};
