import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitCommand } from '../../../../src/core/command-line/split-command.ts';
import { readCommand } from '../../../../src/core/command-line/whole-line.ts';
import { shellWord } from '../../../../src/core/text/shell-word.ts';

describe('a command line is cut into words', () => {
  test.each([
    ['npx -y some-server', ['npx', '-y', 'some-server']],
    ['  npx \t -y\nx ', ['npx', '-y', 'x']],
    [`node "/opt/my server/x.js" '--name=a b'`, ['node', '/opt/my server/x.js', '--name=a b']],
    [String.raw`node /opt/my\ server/x.js`, ['node', '/opt/my server/x.js']],
    [String.raw`node C:\tools\x.js`, ['node', String.raw`C:\tools\x.js`]],
    [String.raw`node "a \"b\" c" 'it'\''s'`, ['node', 'a "b" c', "it's"]],
    ['npx mcp-remote https://x.example.com/?a=1&b=2', ['npx', 'mcp-remote', 'https://x.example.com/?a=1&b=2']],
    ['node ${HOME}/x.js ""', ['node', '${HOME}/x.js', '']],
    ['sh -c "cd /srv && npx x"', ['sh', '-c', 'cd /srv && npx x']],
  ])('%s', (line, words) => {
    expect(splitCommand(line)).toEqual({ env: {}, words });
  });

  test('variables in front of the program are its environment', () => {
    expect(splitCommand('A=1 B="x y" npx -y x C=2')).toEqual({
      env: { A: '1', B: 'x y' },
      words: ['npx', '-y', 'x', 'C=2'],
    });
  });

  test.each(['cd /srv && npx x', 'a | b', 'a > b', 'a 2>/dev/null', 'a; b', 'a $(b)', 'a `b`', 'a "b', "a 'b"])(
    'one that only a shell can run is not: %s',
    (line) => {
      expect(splitCommand(line)).toBeUndefined();
    },
  );

  test('what a shell word is made of comes back', () => {
    const words = fc.array(fc.string({ maxLength: 12 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(words, (args) => {
        expect(splitCommand(['npx', ...args.map(shellWord)].join(' '))?.words).toEqual(['npx', ...args]);
      }),
    );
  });
});

describe('a command is a program, or a whole line', () => {
  const files = new Set(['/opt/my server/run', '/usr/bin/node']);
  const read = (command: string) => readCommand(command, (file) => files.has(file));

  test.each(['npx', '/opt/my server/run', String.raw`C:\Program Files\nodejs\npx.cmd`, '/opt/x'])(
    '%s is a program',
    (command) => {
      expect(read(command)).toEqual({ is: 'program' });
    },
  );

  test.each([
    ['npx -y x', ['npx', '-y', 'x']],
    ['/usr/bin/node /opt/x.js', ['/usr/bin/node', '/opt/x.js']],
    ['"/opt/no such/run" a', ['/opt/no such/run', 'a']],
    [
      String.raw`C:\Program Files\nodejs\node.exe C:\x.js --a`,
      [String.raw`C:\Program Files\nodejs\node.exe`, String.raw`C:\x.js`, '--a'],
    ],
  ])('%s is a line', (command, words) => {
    expect(read(command)).toEqual({ is: 'line', env: {}, words });
  });

  test('a path that does not exist may be either', () => {
    expect(read('/opt/other server/run')).toEqual({ is: 'unclear' });
  });

  test('operators need a shell', () => {
    expect(read('cd /srv && npx x')).toEqual({ is: 'shell' });
  });
});
