// Bundles the fixture servers into dist-fixtures/, where tests and the bench start them as plain Node programs.
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

await build({
  entryPoints: readdirSync('fixtures/servers').map((file) => `fixtures/servers/${file}`),
  outdir: 'dist-fixtures',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  logLevel: 'warning',
});
