// Bundles the command into dist/: a few files start in a third of the time of many modules.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';
import { rolldown } from 'rolldown';
import { checkDistImports } from './dist-imports.mjs';
import { noticesFor } from './notices.mjs';

const TARGET = 'node20.19';

const absolute = (files) => files.map((file) => path.resolve(file));

/** The modules that are loaded together: the program, then a client of a running gateway or a command, then a gateway if none runs. */
const STARTS = {
  // It decides how the others are loaded.
  loader: absolute(['src/cli/keep-compiled-code.ts']),
  program: absolute(['src/cli/program.ts']),
  // A client that finds its gateway needs no more: nothing here reads YAML, checks a config or speaks HTTP.
  shim: absolute(['src/commands/stdio/stdio.ts']),
  // Or it starts one.
  launch: absolute(['src/gateway/shared/launch.ts']),
  command: absolute([
    ...['status', 'tools', 'call'].map((name) => `src/commands/${name}/${name}.ts`),
    ...['read-config-anew', 'private-stdio'].map((name) => `src/commands/stdio/${name}.ts`),
  ]),
  // Most configs have entries with a command, so their transport is loaded with the gateway.
  gateway: absolute([
    'src/gateway/gateway.ts',
    'src/gateway/serving/serve-stream.ts',
    'src/upstream/transports/stdio.ts',
    'src/policy/steps/index.ts',
  ]),
};

/** These are about a gateway, and need all of it. */
const WITH_GATEWAY = absolute(
  ['serve/serve', 'shared-gateway/shared-gateway', 'doctor/doctor'].map((name) => `src/commands/${name}.ts`),
);

/**
 * Every file that Node.js has to find, open and link costs a millisecond of a start. So there is one for each of the
 * STARTS, and one for what a gateway shares with commands that need little of it. Everything else is left to the bundler.
 */
function filesOfStarts() {
  const files = new Map();
  const place = (module, file) => files.has(module) || files.set(module, file);
  return {
    plugin: {
      name: 'files-of-starts',
      buildEnd() {
        const isOfStart = (module) => WITH_GATEWAY.includes(module) || Object.values(STARTS).flat().includes(module);
        const elsewhere = importedBy(
          this,
          [...this.getModuleIds()].filter(isLoadedLate(this)).filter((id) => !isOfStart(id)),
        );
        for (const file of ['loader', 'program', 'shim', 'launch', 'command'])
          for (const module of importedBy(this, STARTS[file])) place(module, file);
        for (const module of importedBy(this, STARTS.gateway))
          place(module, elsewhere.has(module) ? 'shared' : 'gateway');
      },
    },
    nameOf: (module) => files.get(module),
  };
}

const isLoadedLate = (graph) => (module) => graph.getModuleInfo(module).dynamicImporters.length > 0;

/** The modules, and those that are loaded with them. */
function importedBy(graph, modules) {
  const found = new Set(modules);
  // A set is read on to its end, also while it grows.
  for (const module of found) for (const next of graph.getModuleInfo(module)?.importedIds ?? []) found.add(next);
  return found;
}

/**
 * `import { z }` takes all of Zod along, its words in forty languages too: three quarters of it, which every start would
 * have to read. What is imported as a namespace is only what is used.
 */
const onlyUsedZod = {
  name: 'only-used-zod',
  transform(text) {
    const code = text.replaceAll(
      /import \{ z(?: as (\w+))? \} from (['"])(zod(?:\/v4)?)\2/g,
      (_, name = 'z', quote, module) => `import * as ${name} from ${quote}${module}${quote}`,
    );
    // Lines stay where they were.
    return code === text ? undefined : { code, map: null };
  },
};

/** Its build for Node.js is a module for each require(), read twice; its build for others is one text, without unused parts. */
const yamlAsOneText = {
  name: 'yaml-as-one-text',
  resolveId: (id) => (id === 'yaml' ? path.resolve('node_modules/yaml/browser/dist/index.js') : undefined),
};

/** Its build for Node.js is a wrapper that hides its require() calls: they would look for files that are not in dist/. */
const jsoncAsModules = {
  name: 'jsonc-as-modules',
  resolveId: (id) => (id === 'jsonc-parser' ? path.resolve('node_modules/jsonc-parser/lib/esm/main.js') : undefined),
};

/** It can run commands that are programs of their own, for which it loads what starts processes. Ours are none. */
const commanderWithoutProcesses = {
  name: 'commander-without-processes',
  transform(text, id) {
    if (!/node_modules[\\/]commander[\\/]lib[\\/]command\.js$/.test(id)) return undefined;
    const code = text.replace("const childProcess = require('node:child_process');", 'const childProcess = undefined;');
    if (code === text) throw new Error('commander loads node:child_process in another way: see scripts/build.mjs');
    // Lines stay where they were.
    return { code, map: null };
  },
};

/**
 * Half of the text, which every start has to read. Names stay for those who read a stack trace, and lines are short:
 * Node.js shows the line of an uncaught error.
 */
const shortText = {
  name: 'short-text',
  renderChunk: async (code) => {
    const { code: text, map } = await transform(code, {
      target: TARGET,
      minifyWhitespace: true,
      minifySyntax: true,
      lineLimit: 160,
      sourcemap: true,
      sourcesContent: false,
    });
    // The bundler puts the final names of files in later. It would not find a name with a line break in it.
    return { code: text.replaceAll(/require\("(?:[^"\\]|\\\n)*"\)/g, (call) => call.replaceAll('\\\n', '')), map };
  },
};

/** Three have compiled parts beside them. The SDK is needed by few, and its schemas would bring back most of Zod. */
const EXTERNAL = ['@photostructure/sqlite', '@napi-rs/keyring', '@modelcontextprotocol/client', 'web-tree-sitter'];

/** Only of CommonJS can a program keep compiled code itself (`src/cli/compiled-code.ts`). */
const COMMON_JS = { format: 'cjs', strict: true };

const starts = filesOfStarts();
const bundle = await rolldown({
  input: { main: 'src/cli/main.ts' },
  platform: 'node',
  external: EXTERNAL,
  plugins: [onlyUsedZod, yamlAsOneText, jsoncAsModules, commanderWithoutProcesses, starts.plugin, shortText],
  // Modules that share a file with others are imported by their names.
  preserveEntrySignatures: false,
  transform: { target: TARGET },
});
/** Files of which something is in dist/. */
const shipped = new Set();
const note = ({ output }) => {
  for (const { modules = {} } of output)
    for (const [id, { renderedLength }] of Object.entries(modules)) if (renderedLength > 0) shipped.add(id);
};

const program = await bundle.write({
  dir: 'dist',
  cleanDir: true,
  ...COMMON_JS,
  sourcemap: true,
  sourcemapExcludeSources: true,
  minify: false,
  chunkFileNames: 'chunks/[name]-[hash].js',
  codeSplitting: { groups: [{ name: starts.nameOf, debugName: 'starts', includeDependenciesRecursively: false }] },
});
note(program);
chmodSync('dist/main.js', 0o755);

/** Worker threads, by the names of their programs: none of them costs a start of the command a byte. */
const WORKERS = {
  'knowledge/worker': 'src/knowledge/index/threads/worker.ts',
  'knowledge/documents': 'src/knowledge/documents/worker.ts',
  'audit/worker': 'src/audit/index/worker.ts',
};
/** Packages that read documents are optional, and are loaded when a document needs them. */
const LOADERS = ['@mozilla/readability', 'linkedom', 'mammoth', /^pdfjs-dist/, 'turndown'];

for (const [name, input] of Object.entries(WORKERS)) {
  const worker = await rolldown({
    input: { [path.basename(name)]: input },
    platform: 'node',
    external: [...EXTERNAL, ...LOADERS],
    plugins: [onlyUsedZod, shortText],
    transform: { target: TARGET },
  });
  const written = await worker.write({
    dir: path.join('dist', path.dirname(name)),
    ...COMMON_JS,
    sourcemap: true,
    sourcemapExcludeSources: true,
    minify: false,
    chunkFileNames: 'chunks/[name]-[hash].js',
  });
  note(written);
}

writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
copyGrammars('dist/grammars');
writeFileSync('dist/THIRD-PARTY-NOTICES.md', noticesFor(shipped));
checkDistImports('dist', JSON.parse(readFileSync('package.json', 'utf8')));

/** Copies the grammars by which source files are cut. Nothing else of their packages is needed. */
function copyGrammars(folder) {
  mkdirSync(folder);
  const files = Object.values(JSON.parse(readFileSync('src/knowledge/chunks/grammar-files.json', 'utf8')));
  for (const file of files) {
    copyFileSync(path.join('node_modules', file), path.join(folder, path.basename(file)));
    shipped.add(path.resolve('node_modules', file));
  }
}
