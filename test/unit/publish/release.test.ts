import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { GIT_ENV, git, realFolder, write } from '../../support/git-repository.ts';

interface Release {
  readonly version: string;
  readonly date: string;
  readonly repository: string;
}
const scripts = path.resolve('scripts/release');
const { nextVersion } = (await import(path.join(scripts, 'version.mjs'))) as {
  nextVersion: (current: string, step?: string) => string;
};
const { releaseChangelog } = (await import(path.join(scripts, 'changelog.mjs'))) as {
  releaseChangelog: (text: string, release: Release) => string;
};
const { refusePlaceholders } = (await import(path.join(scripts, 'placeholders.mjs'))) as {
  refusePlaceholders: (manifest: object) => void;
};

const OURS = {
  name: 'thing',
  version: '0.1.0',
  author: 'Acme',
  homepage: 'https://github.com/acme/thing#readme',
  bugs: { url: 'https://github.com/acme/thing/issues' },
  repository: { type: 'git', url: 'git+https://github.com/acme/thing.git' },
};
const HEAD = '# Changelog\n\nWhat users notice.\n\n';
const FIRST = `${HEAD}## [Unreleased]\n\n### Added\n\n- A thing.\n`;
const RELEASE = { version: '0.1.0', date: '2026-01-31', repository: 'https://github.com/acme/thing' };
const AFTER_FIRST = `${HEAD}## [Unreleased]

## [0.1.0] - 2026-01-31

### Added

- A thing.

[Unreleased]: https://github.com/acme/thing/compare/v0.1.0...HEAD
[0.1.0]: https://github.com/acme/thing/releases/tag/v0.1.0
`;

test.each([
  ['1.2.3', 'patch', '1.2.4'],
  ['1.2.3', 'minor', '1.3.0'],
  ['1.2.3', 'major', '2.0.0'],
  ['1.2.3', '1.2.3', '1.2.3'],
  ['1.2.3', '1.10.0', '1.10.0'],
])('from %s, %s leads to %s', (current, step, next) => expect(nextVersion(current, step)).toBe(next));

test.each([
  ['1.2.3', '1.2.2', '1.2.2 is older than 1.2.3'],
  ['1.10.0', '1.9.0', 'is older'],
  ['1.2.3', 'big', 'big is no step: write major, minor, patch'],
  ['1.2.3', undefined, 'nothing is no step'],
  ['1.2', 'patch', '1.2 is no version'],
])('from %s, %s is refused', (current, step, words) => expect(() => nextVersion(current, step)).toThrow(words));

test('the entries of Unreleased become those of the version', () => {
  expect(releaseChangelog(FIRST, RELEASE)).toBe(AFTER_FIRST);
});

test('a later version stands above the earlier one, and is compared to it', () => {
  const changed = AFTER_FIRST.replace('## [Unreleased]\n', '## [Unreleased]\n\n### Fixed\n\n- A fault.\n');
  const text = releaseChangelog(changed, { ...RELEASE, version: '0.2.0', date: '2026-02-28' });
  expect(text.match(/^(?:#+ |- |\[).*/gm)).toEqual([
    '# Changelog',
    '## [Unreleased]',
    '## [0.2.0] - 2026-02-28',
    '### Fixed',
    '- A fault.',
    '## [0.1.0] - 2026-01-31',
    '### Added',
    '- A thing.',
    '[Unreleased]: https://github.com/acme/thing/compare/v0.2.0...HEAD',
    '[0.2.0]: https://github.com/acme/thing/compare/v0.1.0...v0.2.0',
    '[0.1.0]: https://github.com/acme/thing/releases/tag/v0.1.0',
  ]);
  expect(text).not.toContain('\n\n\n');
});

test.each([
  ['nothing is unreleased', `${HEAD}## [Unreleased]\n\n### Added\n`, 'nothing under Unreleased'],
  ['there is no such section', HEAD, 'no section "## [Unreleased]"'],
  ['the version has a section', `${FIRST}\n## [0.1.0] - 2025-01-01\n\n- Old.\n`, 'has a section 0.1.0 already'],
])('no changelog is made where %s', (_, text, words) => expect(() => releaseChangelog(text, RELEASE)).toThrow(words));

test('the changelog of this repository can be released, and has the sections of Keep a Changelog', () => {
  const text = releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), { ...RELEASE, version: '999.0.0' });
  expect(text).toContain('\n## [999.0.0] - 2026-01-31\n');
  const sections = [...text.matchAll(/^### (.*)$/gm)].map(([, name]) => name);
  expect(sections.length).toBeGreaterThan(0);
  const allowed = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  expect(sections.filter((name) => !allowed.includes(name!))).toEqual([]);
});

test('placeholders are refused by the names of their fields', () => {
  expect(() => refusePlaceholders(OURS)).not.toThrow();
  expect(() => refusePlaceholders({ ...OURS, author: undefined, bugs: { url: 'https://github.com/OWNER/x' } })).toThrow(
    'placeholders in author, bugs:',
  );
});

interface Ran {
  readonly code: number;
  readonly stderr: string;
}

/** Runs a script in a folder. */
function run(folder: string, script: string, words: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...GIT_ENV, ...env } };
    execFile(process.execPath, [path.join(scripts, script), ...words], options, (error, _, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stderr }),
    );
  });
}

function repository(facts: object = OURS): string {
  const folder = realFolder();
  git(folder, 'init', '--quiet');
  write(folder, 'package.json', `${JSON.stringify(facts, null, 2)}\n`);
  write(
    folder,
    'package-lock.json',
    JSON.stringify({ name: 'thing', version: '0.1.0', lockfileVersion: 3, packages: {} }),
  );
  write(folder, 'CHANGELOG.md', FIRST);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '-m', 'feat: a thing');
  return folder;
}

test('a release is a commit with the version and the changelog, and a tag', async () => {
  const folder = repository();
  expect(await run(folder, 'main.mjs', ['minor'])).toMatchObject({ code: 0 });
  expect(git(folder, 'log', '-1', '--format=%s')).toBe('chore(release): 0.2.0');
  expect(git(folder, 'tag', '--points-at', 'HEAD')).toBe('v0.2.0');
  expect(git(folder, 'status', '--porcelain')).toBe('');
  expect(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))).toEqual({ ...OURS, version: '0.2.0' });
  expect(JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8'))).toMatchObject({ version: '0.2.0' });
  expect(readFileSync(path.join(folder, 'CHANGELOG.md'), 'utf8')).toMatch(/\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n/);
});

test('the first release may have the version that is there, and is made once', async () => {
  const folder = repository();
  expect(await run(folder, 'main.mjs', ['0.1.0'])).toMatchObject({ code: 0 });
  expect(git(folder, 'tag')).toBe('v0.1.0');
  expect(await run(folder, 'main.mjs', ['0.1.0'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the tag v0.1.0 exists already'),
  });
});

test('changes that are not committed end the release, and so do placeholders; nothing is written', async () => {
  const dirty = repository();
  write(dirty, 'new.txt');
  expect((await run(dirty, 'main.mjs', ['minor'])).stderr).toContain('changes that are not committed');
  const unowned = repository({ ...OURS, author: 'OWNER' });
  expect((await run(unowned, 'main.mjs', ['minor'])).stderr).toContain('placeholders in author');
  expect(git(unowned, 'status', '--porcelain')).toBe('');
});

test('placeholders are not published, but a dry run shows what would be', async () => {
  const unowned = repository({ ...OURS, homepage: 'https://github.com/OWNER/thing' });
  expect(await run(unowned, 'before-publish.mjs')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('not published: package.json has placeholders in homepage'),
  });
  expect(await run(unowned, 'before-publish.mjs', [], { npm_config_dry_run: 'true' })).toMatchObject({
    code: 0,
    stderr: '',
  });
  expect(await run(repository(), 'before-publish.mjs')).toMatchObject({ code: 0 });
});

test('package.json runs these scripts', () => {
  expect(manifest.scripts).toMatchObject({
    prepublishOnly: 'node scripts/release/before-publish.mjs',
    release: 'node scripts/release/main.mjs',
  });
});
