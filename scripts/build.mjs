// Bundles the command into dist/: one file and a few chunks start in a third of the time of many modules.
import { chmodSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';

/**
 * `import { z }` takes all of Zod along, its words in forty languages too: three quarters of it, which every start would
 * have to read. What is imported as a namespace is only what is used.
 */
const onlyUsedZod = {
  name: 'only-used-zod',
  setup({ onLoad }) {
    onLoad({ filter: /\.(?:ts|js|mjs)$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const changed = text.replaceAll(
        /import \{ z(?: as (\w+))? \} from (['"])(zod(?:\/v4)?)\2/g,
        (_, name = 'z', quote, module) => `import * as ${name} from ${quote}${module}${quote}`,
      );
      return text === changed ? undefined : { contents: changed, loader: path.endsWith('.ts') ? 'ts' : 'js' };
    });
  },
};

rmSync('dist', { recursive: true, force: true });
await build({
  entryPoints: { main: 'src/cli/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Two have compiled parts beside them. The SDK is needed by few, and its schemas would bring back most of Zod.
  external: ['@photostructure/sqlite', '@napi-rs/keyring', '@modelcontextprotocol/client'],
  plugins: [onlyUsedZod],
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'linked',
  // Half of the text, which every start has to read; names stay, for those who read a stack trace.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  chunkNames: 'chunks/[name]-[hash]',
  // CommonJS packages in the bundle ask for these.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module';const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
chmodSync('dist/main.js', 0o755);
