import { describe } from 'vitest';
import { BIN } from '../../support/gateway.ts';
import { configFor, THROUGH_GATEWAY, type UpstreamEra } from './column.ts';
import { ownEra, tryAll } from './matrix.ts';

describe.each(['legacy', '2026-07-28'] as const)('over stdio, upstream: %s', (upstreamEra: UpstreamEra) => {
  tryAll({
    upstreamEra,
    eraFor: ownEra,
    async site() {
      const { config, log, home } = configFor(upstreamEra, false);
      const where = {
        command: process.execPath,
        args: [BIN, 'stdio', '--config', config],
        env: { PATH: process.env.PATH!, VIADUCT_HOME: home },
      };
      return { upstreamEra, log, where, ...THROUGH_GATEWAY };
    },
  });
});
