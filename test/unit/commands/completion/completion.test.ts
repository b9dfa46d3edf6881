import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { bashScript } from '../../../../src/commands/completion/bash.ts';
import { commandTree } from '../../../../src/commands/completion/command-tree.ts';
import { fishScript } from '../../../../src/commands/completion/fish.ts';
import { zshScript } from '../../../../src/commands/completion/zsh.ts';
import { BIN, freshHome, temporaryFolder } from '../../../support/gateway.ts';

function exampleProgram(): Command {
  const program = new Command('example').description('an example');
  program
    .command('show')
    .description("print what's there: all of it \\o/")
    .option('-c, --config <file>', 'the config')
    .option('--json', 'print JSON');
  const pins = program.command('pins').description('pins of tools');
  pins.command('list').description('list pins');
  pins.command('accept').description('accept pins').option('--all', 'all of them');
  return program;
}

const tree = commandTree(exampleProgram());

const has = (shell: string) => spawnSync(shell, ['-c', 'exit']).status === 0;
const needs = (shell: string) =>
  has(shell) ? shell : `${shell} (skipped: install it with "apt-get install ${shell}")`;

const run = (shell: string, words: readonly string[], script: string): string[] =>
  execFileSync(shell, [...words, script], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');

/** The words of a command line, of which the last one is completed. */
const ROWS: readonly (readonly [line: readonly string[], expected: readonly string[]])[] = [
  [['sh'], ['show']],
  [['show', '--j'], ['--json']],
  [
    ['pins', ''],
    ['list', 'accept'],
  ],
  [['pins', 'accept', '--a'], ['--all']],
];

describe.skipIf(!has('bash'))(needs('bash'), () => {
  const complete = (line: readonly string[]) =>
    run(
      'bash',
      ['-c'],
      `${bashScript(tree)}
COMP_WORDS=(example ${line.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${line.length}; _example
printf '%s\\n' "\${COMPREPLY[@]}"`,
    );

  test.each(ROWS)('%j', (line, expected) => {
    expect(complete(line)).toEqual(expect.arrayContaining([...expected]));
    expect(complete(line).filter((word) => !word.startsWith('-'))).toEqual(
      expected.filter((word) => !word.startsWith('-')),
    );
  });

  test('files follow an option with a value', () => {
    expect(complete(['show', '--config', 'pack'])).toEqual(expect.arrayContaining(['package.json']));
  });
});

describe.skipIf(!has('zsh'))(needs('zsh'), () => {
  test.each(ROWS)('%j', (line, expected) => {
    // The completion system needs a terminal: its functions print what they are given.
    const script = `
compdef() { :; }
_describe() { local name=\${@[-1]}; print -rl -- "\${(@P)name}"; }
_files() { print files; }
${zshScript(tree)}
words=(example ${line.map((word) => `'${word}'`).join(' ')}); CURRENT=${line.length + 1}; _example`;
    const offered = run('zsh', ['-f', '-c'], script).map((one) => one.split(':')[0]);
    expect(offered).toEqual(expect.arrayContaining([...expected]));
  });

  test('descriptions keep their characters', () => {
    const script = `
compdef() { :; }
_describe() { local name=\${@[-1]}; print -rl -- "\${(@P)name}"; }
${zshScript(tree)}
words=(example ''); CURRENT=2; _example`;
    expect(run('zsh', ['-f', '-c'], script)).toContain("show:print what's there: all of it \\\\o/");
  });
});

describe.skipIf(!has('fish'))(needs('fish'), () => {
  const complete = (line: readonly string[]) =>
    run('fish', ['--no-config', '-c'], `${fishScript(tree)}\ncomplete -C 'example ${line.join(' ')}'`);

  test.each(ROWS)('%j', (line, expected) => {
    expect(complete(line).map((one) => one.split('\t')[0])).toEqual([...expected].sort());
  });

  test('descriptions keep their characters', () => {
    expect(complete(['sh'])).toEqual(["show\tprint what's there: all of it \\o/"]);
  });
});

test.each(['bash', 'zsh', 'fish'])('the program prints a script that %s can read', (shell) => {
  const script = execFileSync(process.execPath, [BIN, 'completion', shell], { encoding: 'utf8', env: freshHome() });
  expect(script).toContain('checkpoint');
  if (!has(shell)) return;
  const file = path.join(temporaryFolder(), 'script');
  writeFileSync(file, script);
  expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});

test('every command and option of the program is there', () => {
  const script = execFileSync(process.execPath, [path.resolve(BIN), 'completion', 'bash'], { encoding: 'utf8' });
  for (const word of ['/ml/probe', '/completion', '/checkpoint/import', '--any-machine'])
    expect(script).toContain(word);
});
