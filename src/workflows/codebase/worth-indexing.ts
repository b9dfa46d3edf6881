import { readdir } from 'node:fs/promises';

/** Names that mark a folder as a repository or a project: folders of version control, and manifests of build tools. */
const SIGNS = new Set([
  '.git',
  '.hg',
  '.svn',
  '.jj',
  'package.json',
  'deno.json',
  'pyproject.toml',
  'setup.py',
  'requirements.txt',
  'go.mod',
  'go.work',
  'Cargo.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'build.sbt',
  'Package.swift',
  'composer.json',
  'Gemfile',
  'mix.exs',
  'CMakeLists.txt',
  'Makefile',
  'meson.build',
  'pubspec.yaml',
  'MODULE.bazel',
  'WORKSPACE',
]);
const SIGN_ENDINGS = ['.sln', '.csproj', '.xcodeproj', '.xcworkspace', '.gemspec', '.cabal'];

/** Returns whether a folder looks like a repository or a project. Others, such as a folder of downloads, are not indexed unasked. */
export async function isWorthIndexing(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => SIGNS.has(name) || SIGN_ENDINGS.some((ending) => name.endsWith(ending)));
}
