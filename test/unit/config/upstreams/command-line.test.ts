import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/gateway.ts';
import { issuesOf, parse } from '../parse-text.ts';

const config = (entry: object) => JSON.stringify({ schemaVersion: 1, upstreams: { a: entry } });

describe('a command that is more than a program', () => {
  test.each([
    [{ command: 'npx -y @x/y' }, 'write command: npx, args: [-y, "@x/y"]'],
    [{ command: 'npx -y @x/y', args: ['--port', 80] }, 'write command: npx, args: [-y, "@x/y", --port, "80"]'],
    [{ command: 'TOKEN=abc uvx some-server' }, 'write command: uvx, args: [some-server], env: { TOKEN: abc }'],
    [{ command: 'node "my server.js" true' }, 'write command: node, args: ["my server.js", "true"]'],
    [{ command: 'C:\\Tools\\run.exe --fast' }, 'write command: "C:\\\\Tools\\\\run.exe", args: [--fast]'],
  ])('%j', (entry, hint) => {
    expect(issuesOf(config(entry))).toEqual([
      expect.stringContaining(`upstreams.a.command: is a whole command line; it must be a program alone -> ${hint}`),
    ]);
  });

  test('a name in quotes of its own', () => {
    expect(issuesOf(config({ command: '"npx"' }))).toEqual([
      expect.stringContaining('upstreams.a.command: has an extra pair of quotes around it -> write command: npx'),
    ]);
  });

  test('what only a shell can run', () => {
    expect(issuesOf(config({ command: 'cd x && npx y' }))).toEqual([
      expect.stringContaining('-> write command: sh, args: [-c, "cd x && npx y"]'),
    ]);
  });
});

describe('a command that is a program', () => {
  test.each(['npx', './tools/my-server', '/usr/bin/env', '/not/there at all/run'])('%s', (command) => {
    expect(parse(config({ command })).upstreams).toMatchObject([{ command }]);
  });

  test('a file with spaces in its name', () => {
    const folder = path.join(temporaryFolder(), 'My Tools');
    mkdirSync(folder);
    writeFileSync(path.join(folder, 'run it'), '');
    chmodSync(path.join(folder, 'run it'), 0o755);
    const command = path.join(folder, 'run it');
    expect(parse(config({ command })).upstreams).toMatchObject([{ command }]);
    expect(parse(config({ command: './run it', cwd: folder })).upstreams).toMatchObject([{ command: './run it' }]);
  });

  test('a folder from a variable, whatever is in it', () => {
    const command = '${DIR}/run';
    const env = { DIR: '/with some/spaces in it' };
    expect(parse(config({ command }), { env }).upstreams).toMatchObject([{ command: '/with some/spaces in it/run' }]);
  });
});
