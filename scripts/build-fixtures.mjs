// Bundles the fixture servers, and a client, into dist-fixtures/, where tests and the bench start them as plain Node
// programs.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const PROGRAMS = [
  ...readdirSync('fixtures/servers', { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `fixtures/servers/${file}`),
  'fixtures/clients/checkpoint-writer.ts',
  'fixtures/clients/task-writer.ts',
  'fixtures/agent.ts',
  'fixtures/containers/docker.ts',
  'fixtures/hosts/gateway-host.ts',
  'fixtures/clients/line-writer.ts',
];

await build({
  entryPoints: Object.fromEntries(PROGRAMS.map((file) => [path.basename(file, '.ts'), file])),
  outdir: 'dist-fixtures',
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['@photostructure/sqlite', '@napi-rs/keyring'],
  // CommonJS packages in the bundle ask for these.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
