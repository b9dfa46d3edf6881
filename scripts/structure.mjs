// Prints the figures of the code's structure: length of functions, members of classes, files of folders, cycles of imports.
// With --check it prints nothing but fails if a limit is broken, and names the places. check:layers fails for cycles.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const LIMITS = { members: 25, filesOfFolder: 20, linesOfFile: 400 };
/** Every file directly in one of these folders, or in one below, counts. */
const ROOTS = ['src', 'test', 'scripts', 'fixtures', 'docs', 'examples'];
/** Suites of others, installed by a command of ours. */
const FOREIGN = /(^|\/)node_modules(\/|$)/;

const folders = ROOTS.flatMap(foldersOf);
const sources = folders
  .flatMap(({ folder, files }) => files.map((name) => `${folder}/${name}`))
  .filter((file) => /^src\/.*\.ts$/.test(file) && !file.endsWith('.d.ts'))
  .map(readSource);
const functions = sources.flatMap(({ functions }) => functions);
const classes = sources.flatMap(({ classes }) => classes).sort((a, b) => b.members - a.members);
const lengths = functions.map(({ lines }) => lines).sort((a, b) => a - b);
const above = (limit) => classes.filter(({ members }) => members > limit);
const crowded = folders.filter(({ files }) => files.length > LIMITS.filesOfFolder);
const long = sources.filter(({ lines }) => lines > LIMITS.linesOfFile);

if (process.argv.includes('--check')) check();
else print();

function print() {
  const at = (share) => lengths[Math.floor((lengths.length - 1) * share)];
  const wide = [15, 20, 25].map((count) => `${above(count).length} above ${count}`).join(', ');
  console.log(`files       ${sources.length} in src, ${sum(sources.map(({ lines }) => lines))} lines`);
  console.log(`functions   ${lengths.length}: p50 ${at(0.5)}, p90 ${at(0.9)}, max ${lengths.at(-1)} lines`);
  console.log(`classes     ${classes.length}: ${wide} members`);
  console.log(`folders     ${folders.length}: ${crowded.length} with more than ${LIMITS.filesOfFolder} files`);
  console.log(`long files  ${long.length} above ${LIMITS.linesOfFile} lines`);
  const allCycles = cyclesOf(() => true);
  console.log(`cycles      ${cyclesOf((edge) => !edge.isTypeOnly).length} of values, ${allCycles.length} with types`);
  list('widest classes', above(20), classLine);
  list('cycles', allCycles, (files) => files.join('\n    '));
}

function check() {
  list(`classes with more than ${LIMITS.members} members`, above(LIMITS.members), classLine);
  list(
    `folders with more than ${LIMITS.filesOfFolder} files`,
    crowded,
    ({ folder, files }) => `${files.length}  ${folder}`,
  );
  list(`files with more than ${LIMITS.linesOfFile} lines`, long, ({ file, lines }) => `${lines}  ${file}`);
  if (above(LIMITS.members).length + crowded.length + long.length > 0) process.exitCode = 1;
}

function classLine({ members, name, file }) {
  return `${members}  ${name}  ${file}`;
}

function foldersOf(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
  return [{ folder, files }, ...inner.filter((name) => !FOREIGN.test(name)).flatMap(foldersOf)];
}

function readSource(file) {
  const text = readFileSync(file, 'utf8');
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => tree.getLineAndCharacterOfPosition(position).line;
  const found = { file, lines: text.split('\n').length - 1, functions: [], classes: [], imports: [] };
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) found.functions.push({ file, lines: linesOf(node) });
    if (ts.isClassLike(node))
      found.classes.push({ file, name: node.name?.text ?? '(unnamed)', members: membersOf(node) });
    if (isImport(node))
      found.imports.push({ to: targetOf(file, node.moduleSpecifier.text), isTypeOnly: isTypeOnly(node) });
    if (isLateImport(node)) found.imports.push({ to: targetOf(file, node.arguments[0].text), isTypeOnly: false });
    ts.forEachChild(node, visit);
  };
  const linesOf = (node) => lineOf(node.getEnd()) - lineOf(node.getStart()) + 1;
  visit(tree);
  return found;
}

/** Fields, methods, accessors, and parameters of the constructor that are fields. */
function membersOf(node) {
  const parameters = node.members.filter(ts.isConstructorDeclaration).flatMap(({ parameters }) => parameters);
  return (
    node.members.length +
    parameters.filter((parameter) => ts.isParameterPropertyDeclaration(parameter, parameter.parent)).length
  );
}

function isImport(node) {
  return (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier?.text.startsWith('.');
}

function isLateImport(node) {
  if (!ts.isCallExpression(node) || node.expression.kind !== ts.SyntaxKind.ImportKeyword) return false;
  const [target] = node.arguments;
  return ts.isStringLiteral(target) && target.text.startsWith('.');
}

function isTypeOnly(node) {
  if (ts.isExportDeclaration(node)) return node.isTypeOnly;
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const names = clause.namedBindings;
  return (
    clause.name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every((name) => name.isTypeOnly)
  );
}

function targetOf(file, specifier) {
  return path.posix.join(path.posix.dirname(file), specifier);
}

/** The groups of files that import each other, directly or not (Tarjan's algorithm). */
function cyclesOf(counts) {
  const imports = new Map(sources.map(({ file, imports }) => [file, imports.filter(counts).map(({ to }) => to)]));
  const order = new Map();
  const lowest = new Map();
  const stack = [];
  const groups = [];
  const visit = (file) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file));
    stack.push(file);
    for (const to of imports.get(file) ?? []) {
      if (!imports.has(to)) continue;
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file), lowest.get(to)));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || imports.get(file).includes(file)) groups.push(group);
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return groups;
}

function list(title, items, textOf) {
  if (items.length > 0) console.log(`\n${title}\n${items.map((item) => `  ${textOf(item)}`).join('\n')}`);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
