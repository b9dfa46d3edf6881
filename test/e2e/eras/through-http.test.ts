import { describe } from 'vitest';
import { configFor, serveFor, type UpstreamEra } from './column.ts';
import { ownEra, type Site, tryAll } from './matrix.ts';

describe.each(['legacy', '2026-07-28'] as const)('over HTTP, upstream: %s', (upstreamEra: UpstreamEra) => {
  let shared: Promise<Site> | undefined;

  tryAll({
    upstreamEra,
    eraFor: ownEra,
    site(_kind, atEnd) {
      shared ??= open(atEnd);
      return shared;
    },
  });

  async function open(atEnd: (end: () => Promise<void>) => void): Promise<Site> {
    const { config, log, home } = configFor(upstreamEra, process.env.TOLD !== '0');
    const url = await serveFor(config, home, atEnd);
    return { upstreamEra, log, where: { url }, named: (name) => `e_${name}`, exit: 'mortal_exit', comesBack: true };
  }
});
