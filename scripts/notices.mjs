// Writes down whose code a bundle contains, and under which licences.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Licences (SPDX) that let the package be shipped under MIT. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
]);

const LICENCE_FILE = /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i;

const HEAD = `# Third-party notices

The files in this folder contain code of the following packages.
`;

/**
 * Returns the notices for the packages that modules belong to, as Markdown: name, version, licence and its text.
 * @param {Iterable<string>} modules paths of files; those outside of node_modules are left out
 * @returns {string}
 * @throws Error if the licence of a package is not permissive, or not known
 */
export function noticesFor(modules) {
  const roots = new Set([...modules].map(packageRoot).filter((root) => root !== undefined));
  const packages = [...roots].map(readPackage);
  packages.sort((one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1));
  for (const one of packages) checkLicence(one);
  return [HEAD, ...packages.map(section)].join('\n');
}

/** The folder of the package that a file belongs to; the innermost one. */
function packageRoot(module) {
  const parts = module.replace(/^\0/, '').replace(/\?.*$/, '').split(/[\\/]/);
  const at = parts.lastIndexOf('node_modules');
  if (at === -1) return undefined;
  return parts.slice(0, at + (parts[at + 1].startsWith('@') ? 3 : 2)).join('/');
}

function readPackage(root) {
  const { name, version, license, homepage } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const files = readdirSync(root)
    .filter((file) => LICENCE_FILE.test(file))
    .sort();
  const texts = files.map((file) => readFileSync(path.join(root, file), 'utf8').trim());
  return { name, version, license, homepage, texts };
}

function checkLicence({ name, version, license }) {
  if (typeof license === 'string' && isPermissive(license)) return;
  throw new Error(
    `the bundle contains ${name} ${version}, whose licence is ${JSON.stringify(license)}: use another package, or add the licence to PERMISSIVE in scripts/notices.mjs if it lets you ship the code under MIT`,
  );
}

/** Returns whether one of the alternatives is permissive; licences that hold together all have to be. */
function isPermissive(license) {
  return license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((id) => PERMISSIVE.has(id.trim())));
}

function section({ name, version, license, homepage, texts }) {
  const body = texts.length > 0 ? texts.join('\n\n') : `The package has no file with the text of its licence.`;
  const home = homepage === undefined ? '' : `\n\n<${homepage}>`;
  return `## ${name} ${version} (${license})${home}\n\n\`\`\`text\n${body.replaceAll('```', "'''")}\n\`\`\`\n`;
}
