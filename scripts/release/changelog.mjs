const UNRELEASED = '## [Unreleased]';
const LINK = /^\[[^\]]+\]: \S+$/;

/**
 * Returns the changelog with the entries of its section "Unreleased" as those of a version, and that section empty.
 * @param {string} text
 * @param {{ version: string, date: string, repository: string }} release the date as in 2026-01-31, the repository as an https url
 * @returns {string}
 */
export function releaseChangelog(text, { version, date, repository }) {
  const { before, entries, older, links } = partsOf(text);
  if (older.some((line) => line.startsWith(`## [${version}]`)))
    throw new Error(`CHANGELOG.md has a section ${version} already: release another version`);
  if (!entries.some((line) => line.startsWith('- ')))
    throw new Error('CHANGELOG.md has nothing under Unreleased: write down what changes for users');
  const previous = older.find((line) => line.startsWith('## ['));
  const own = linksOf(version, previous && /\[(.+)\]/.exec(previous)[1], repository);
  const others = links.filter((line) => !line.startsWith('[Unreleased]:'));
  return [...before, UNRELEASED, '', `## [${version}] - ${date}`, ...entries, ...older, ...own, ...others, ''].join(
    '\n',
  );
}

/** Cuts the text into lines before the section, its own, those of older versions, and the links at the end. */
function partsOf(text) {
  const lines = text.trimEnd().split('\n');
  const start = lines.indexOf(UNRELEASED);
  if (start === -1) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}"`);
  const links = lines.slice(start).filter((line) => LINK.test(line));
  const rest = lines.slice(start + 1).filter((line) => !LINK.test(line));
  const next = rest.findIndex((line) => line.startsWith('## '));
  const end = next === -1 ? rest.length : next;
  const older = [...trimEnd(rest.slice(end)), ''];
  return {
    before: lines.slice(0, start),
    entries: [...trimEnd(rest.slice(0, end)), ''],
    older: next === -1 ? [] : older,
    links,
  };
}

function trimEnd(lines) {
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);
}

function linksOf(version, previous, repository) {
  const changes = previous === undefined ? `releases/tag/v${version}` : `compare/v${previous}...v${version}`;
  return [`[Unreleased]: ${repository}/compare/v${version}...HEAD`, `[${version}]: ${repository}/${changes}`];
}
