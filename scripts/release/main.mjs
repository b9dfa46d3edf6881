// Makes a release of what is committed: version, changelog, commit and tag. It publishes nothing: the workflow `release`
// does, once the tag is pushed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { releaseChangelog } from './changelog.mjs';
import { refusePlaceholders, repositoryUrl } from './placeholders.mjs';
import { nextVersion } from './version.mjs';

const git = (...words) => execFileSync('git', words, { encoding: 'utf8' }).trim();

try {
  const version = release(process.argv[2]);
  process.stdout.write(`v${version} is committed and tagged. To publish it: git push --follow-tags\n`);
} catch (error) {
  process.stderr.write(`no release was made: ${error.message}\n`);
  process.exitCode = 1;
}

/** Everything that can be refused is refused before a file is written. */
function release(step) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
  if (git('status', '--porcelain') !== '') throw new Error('there are changes that are not committed');
  refusePlaceholders(manifest);
  const version = nextVersion(manifest.version, step);
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`the tag v${version} exists already`);
  const date = new Date().toISOString().slice(0, 10);
  const repository = repositoryUrl(manifest);
  const changelog = releaseChangelog(readFileSync('CHANGELOG.md', 'utf8'), { version, date, repository });

  execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version', '--ignore-scripts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  writeFileSync('CHANGELOG.md', changelog);
  git(
    'commit',
    '--quiet',
    '--message',
    `chore(release): ${version}`,
    'package.json',
    'package-lock.json',
    'CHANGELOG.md',
  );
  git('tag', '--annotate', '--message', `Version ${version}`, `v${version}`);
  return version;
}
