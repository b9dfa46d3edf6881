import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

/** Builds the product and the fixture servers once for all tests: what is tested is what users run. */
export default async function buildOnce(): Promise<void> {
  execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' });
  await build({
    entryPoints: readdirSync('fixtures/servers').map((file) => `fixtures/servers/${file}`),
    outdir: 'dist/fixtures',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    logLevel: 'warning',
  });
}
