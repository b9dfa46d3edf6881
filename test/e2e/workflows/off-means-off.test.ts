import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { freshHome, startStdio, temporaryFolder, writeConfig } from '../../support/gateway.ts';

/** The code of these is for those who switch it on; the config must know their names and options. */
const HEAVY = [
  /^src\/knowledge\//,
  /^src\/(?:store\/)?builds\//,
  /^src\/store\/(?:knowledge|tasks)\//,
  /^src\/browser\//,
  /^src\/models\//,
  /^src\/services\//,
  /^src\/workflows\/(?:codebase|ide|ml|rag|tasks|webview)\/(?!(?:\w+\/)?(?:manifest|options)\.ts$)/,
];

/** Source files, as far as they are ours, of the scripts that a gateway has loaded: V8 writes down which. */
async function sourcesOf(enabledWorkflows: readonly string[]): Promise<string[]> {
  const folder = temporaryFolder();
  const { client, child } = startStdio(writeConfig({ enabledWorkflows }), freshHome({ NODE_V8_COVERAGE: folder }));
  await client.initialize();
  await client.toolNames();
  client.end();
  await new Promise((resolve) => child.once('exit', resolve));
  const reports = readdirSync(folder).map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')));
  const urls: string[] = reports.flatMap(({ result }) => result.map(({ url }: { url: string }) => url));
  const maps = urls.filter((url) => url.startsWith('file:')).map((url) => `${fileURLToPath(url)}.map`);
  return maps
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const { sources } = JSON.parse(readFileSync(file, 'utf8')) as { sources: string[] };
      return sources.map((source) => path.relative('.', path.resolve(path.dirname(file), source)));
    });
}

const heavyOf = (sources: readonly string[]) => sources.filter((source) => HEAVY.some((one) => one.test(source)));

test('nothing of code search, documents, tasks, models, the browser and the IDE is loaded while they are off', async () => {
  const off = await sourcesOf(['gateway', 'files', 'checkpoint', 'metrics', 'process']);
  expect(off.filter((source) => source.startsWith('src/')).length).toBeGreaterThan(200);
  expect(heavyOf(off)).toEqual([]);
  const on = heavyOf(await sourcesOf(['codebase', 'rag', 'tasks', 'webview', 'ml', 'ide']));
  const codes = ['codebase', 'tasks', 'webview', 'ml', 'ide'].map((name) => `src/workflows/${name}/workflow.ts`);
  expect(on).toEqual(expect.arrayContaining(codes));
  // Until somebody asks a model, nothing knows how.
  expect(on.filter((source) => source.startsWith('src/models/'))).toEqual([]);
  // Only a gateway with the url of an IDE backend connects to one.
  expect(on.filter((source) => source.endsWith('ide/bridge/connection.ts'))).toEqual([]);
  // Until somebody searches or ingests, there is neither a grammar nor a loader.
  expect(on.filter((source) => /\/(?:chunks|documents\/loaders?)\//.test(source))).toEqual([]);
});
