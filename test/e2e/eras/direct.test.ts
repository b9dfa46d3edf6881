import path from 'node:path';
import { describe } from 'vitest';
import { erasFixture, folderOfFile, type UpstreamEra } from './column.ts';
import { tryAll } from './matrix.ts';

const same = (name: string) => name;

/** Without a gateway: what fails here is the fault of a client, of the fixture server or of the test. */
describe.each([
  ['legacy', ['v1', 'v2 legacy', 'v2 auto']],
  ['2026-07-28', ['v2 auto', 'v2 pinned']],
] as const)('directly, server: %s', (upstreamEra: UpstreamEra, clients) => {
  tryAll({
    upstreamEra,
    clients,
    eraFor: () => (upstreamEra === 'legacy' ? 'legacy' : 'modern'),
    async site() {
      const log = path.join(folderOfFile(), 'log');
      const where = { ...erasFixture(upstreamEra, `--log=${log}`), env: {} };
      return { upstreamEra, log, where, named: same, shown: same, exit: 'exit', comesBack: false };
    },
  });
});
