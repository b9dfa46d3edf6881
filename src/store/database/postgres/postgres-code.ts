import type { EngineCode } from '../engines/manifest.ts';
import { checkShape } from '../migrations.ts';
import { connectPostgres } from './connect-postgres.ts';
import { openPostgres } from './postgres-engine.ts';
import { postgresFaults } from './postgres-faults.ts';

/** No one waits longer for a server in order to look at it. */
const CONNECT_WITHIN_S = 5;

export const postgresCode: EngineCode = {
  open: ({ url = '' }) => openPostgres(url),
  async look({ url = '' }) {
    const { queries, end } = connectPostgres(url, { max: 1, connect_timeout: CONNECT_WITHIN_S });
    try {
      await checkShape(queries, 'postgres');
      return true;
    } finally {
      await end();
    }
  },
  faultsOf: postgresFaults,
};
