// Compares the packages that the built program imports with those that an installation has.
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** Fields of package.json whose packages an installation has, or may have. */
const INSTALLED = ['dependencies', 'optionalDependencies', 'peerDependencies'];

/** Names that bundlers give to the `require` of CommonJS modules. */
const REQUIRE = /^_*require\d*$/;

/**
 * Throws if a file of the folder imports a package that is neither Node's nor declared in the manifest as one that an
 * installation has.
 * @param {string} folder
 * @param {object} manifest what package.json says
 */
export function checkDistImports(folder, manifest) {
  const declared = new Set(INSTALLED.flatMap((field) => Object.keys(manifest[field] ?? {})));
  const missing = [...importedPackages(folder)].filter(([name]) => !declared.has(name));
  if (missing.length === 0) return;
  const lines = missing.map(([name, file]) => `  ${name}, in ${file}`);
  throw new Error(
    `${folder} imports packages that an installation would not have:\n${lines.join('\n')}\nbundle them (EXTERNAL in scripts/build.mjs), or add them to the dependencies in package.json`,
  );
}

/**
 * Returns the packages that the JavaScript files of a folder import or require, each with the first file that does.
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export function importedPackages(folder) {
  const packages = new Map();
  for (const file of readdirSync(folder, { recursive: true }).sort()) {
    if (!/\.[cm]?js$/.test(file)) continue;
    for (const specifier of importsOf(readFileSync(path.join(folder, file), 'utf8'), file)) {
      const name = packageOf(specifier);
      if (name !== undefined && !packages.has(name)) packages.set(name, file);
    }
  }
  return packages;
}

/**
 * Returns what a module imports, statically or dynamically, and what it requires, as written there.
 * @param {string} text
 * @param {string} file its name, for errors
 * @returns {Set<string>}
 */
export function importsOf(text, file = 'module.js') {
  const parsed = parseSync(file, text, { sourceType: 'module' });
  if (parsed.errors.length > 0) throw new Error(`${file} is not valid JavaScript: ${parsed.errors[0].message}`);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const requests = [...staticImports, ...staticExports.flatMap(({ entries }) => entries)];
  const found = requests.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []);
  const isText = (part) => /^['"`][^$]*['"`]$/s.test(part);
  const dynamic = dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end)).filter(isText);
  found.push(...dynamic.map((part) => part.slice(1, -1)));
  // The tree of a module takes much longer than the rest.
  if (/require\d*\(/i.test(text)) found.push(...requiredBy(parsed.program));
  return new Set(found);
}

function requiredBy(program) {
  const found = [];
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      if (isRequire(callee) && typeof first?.value === 'string') found.push(first.value);
    },
  }).visit(program);
  return found;
}

/** Returns whether this is `require`, by any name of a bundler, or `createRequire(…).resolve`. */
function isRequire(callee) {
  if (callee.type === 'Identifier') return REQUIRE.test(callee.name);
  return callee.property?.name === 'resolve' && callee.object.callee?.name === 'createRequire';
}

/** Returns the package that a specifier names; none for files and for modules of Node.js. */
function packageOf(specifier) {
  if (/^(?:[./#]|[a-z]+:)/.test(specifier) || isBuiltin(specifier)) return undefined;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}
