import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type PrimingOptions,
  planPriming,
  primableAgents,
} from '../../../../../src/workflows/checkpoint/adapters/priming/plan.ts';

const home = '/home/alice';
const user = {
  home,
  claudeFile: `${home}/.claude.json`,
  claudeFolder: `${home}/.claude`,
  claudeDesktop: `${home}/.config/Claude`,
  vscodeUser: `${home}/.config/Code/User`,
  cursorUser: `${home}/.config/Cursor/User`,
  zed: `${home}/.config/zed`,
  codex: `${home}/.codex`,
  windsurf: `${home}/.codeium/windsurf`,
};
const PRIMABLE_AGENTS = primableAgents().map(({ name }) => name);
const entry = { command: 'viaduct', args: ['stdio'] };
const hookCommand = (does: 'load' | 'save') => `viaduct checkpoint hook ${does}`;

type Files = ReadonlyMap<string, string>;

function run(files: Files, options: Partial<PrimingOptions> & { readonly agent: string }): Files {
  const plan = planPriming({
    folder: '/work/app',
    user,
    exists: (file) => files.has(file),
    entry,
    hookCommand: undefined,
    remove: false,
    ...options,
  });
  const next = new Map(files);
  for (const { file, edit } of plan.changes) {
    const text = edit(next.get(file));
    if (text === undefined) next.delete(file);
    else next.set(file, text);
  }
  return next;
}

/** What a user may have in the files of all agents. */
const theirs: Files = new Map([
  ['/work/app/CLAUDE.md', '# App\nUse tabs.\n'],
  ['/work/app/AGENTS.md', '# App\nUse tabs.\n'],
  ['/work/app/.mcp.json', '{\n  "mcpServers": {\n    "db": { "command": "db" }\n  }\n}\n'],
  ['/work/app/.cursor/mcp.json', '{"mcpServers":{"db":{"command":"db"}}}'],
  ['/work/app/.vscode/mcp.json', '{\n  // mine\n  "inputs": [],\n}\n'],
  ['/work/app/.zed/settings.json', '// Zed\n{\n  "tab_size": 2\n}\n'],
  ['/work/app/.codex/config.toml', 'model = "x"\n'],
  [
    '/work/app/.claude/settings.json',
    '{\n  "hooks": {\n    "Stop": [\n      {\n        "hooks": []\n      }\n    ]\n  }\n}\n',
  ],
  [`${home}/.claude.json`, '{\n  "numStartups": 5\n}'],
  [`${home}/.codex/config.toml`, '[mcp_servers.db]\ncommand = "db"\n'],
  [`${home}/.config/zed/settings.json`, '{\n  "theme": "One", // nice\n}\n'],
]);

describe.each(PRIMABLE_AGENTS)('priming %s', (agent) => {
  describe.each([
    { where: 'a project', folder: '/work/app' },
    { where: 'all projects', folder: undefined },
  ])('for $where', ({ folder }) => {
    const hooks = agent === 'claude-code' ? { hookCommand } : {};

    test('twice is the same as once', () => {
      const once = run(theirs, { agent, folder, ...hooks });
      expect(run(once, { agent, folder, ...hooks })).toEqual(once);
    });

    test('and taking it out again gives back every file as it was', () => {
      const primed = run(theirs, { agent, folder, ...hooks });
      expect(run(primed, { agent, folder, remove: true })).toEqual(theirs);
    });

    test('and taking it out again leaves no file where there was none', () => {
      const primed = run(new Map(), { agent, folder, ...hooks });
      expect(run(primed, { agent, folder, remove: true })).toEqual(new Map());
    });

    test('by url works in the same way', () => {
      const byUrl = { agent, folder, entry: { url: 'http://127.0.0.1:31415/mcp' } };
      const primed = run(theirs, byUrl);
      expect(run(primed, { ...byUrl, remove: true })).toEqual(theirs);
    });

    test('touches no file elsewhere', () => {
      const root = folder ?? home;
      const before = new Set(theirs.keys());
      const added = [...run(theirs, { agent, folder, ...hooks }).keys()].filter((file) => !before.has(file));
      for (const file of added) expect(path.relative(root, file)).not.toMatch(/^\.\./);
    });
  });
});

test('each agent gets its entry where it looks for it', () => {
  const primed = PRIMABLE_AGENTS.reduce<Files>((files, agent) => run(files, { agent }), new Map());
  expect([...primed.keys()].sort()).toEqual(
    [
      '.codex/config.toml',
      '.cursor/mcp.json',
      '.cursor/rules/viaduct.mdc',
      '.github/copilot-instructions.md',
      '.kiro/settings/mcp.json',
      '.kiro/steering/viaduct.md',
      '.mcp.json',
      '.vscode/mcp.json',
      '.zed/settings.json',
      'AGENTS.md',
      'CLAUDE.md',
    ]
      .map((name) => `/work/app/${name}`)
      .sort(),
  );
  expect(JSON.parse(primed.get('/work/app/.mcp.json')!)).toEqual({ mcpServers: { viaduct: entry } });
  expect(JSON.parse(primed.get('/work/app/.vscode/mcp.json')!)).toEqual({
    servers: { viaduct: { type: 'stdio', ...entry } },
  });
  expect(JSON.parse(primed.get('/work/app/.zed/settings.json')!)).toEqual({
    context_servers: { viaduct: { ...entry, env: {} } },
  });
  expect(primed.get('/work/app/CLAUDE.md')).toContain('`source_ide: "claude-code"`');
  expect(primed.get('/work/app/AGENTS.md')).toContain('`"antigravity"`, `"codex"`, `"generic"`');
});

test('Zed gets its instructions in the one file that it reads', () => {
  expect(run(theirs, { agent: 'zed' }).get('/work/app/AGENTS.md')).toContain('viaduct:begin');
  const withRules = new Map([...theirs, ['/work/app/.rules', 'Be brief.\n']]);
  const primed = run(withRules, { agent: 'zed' });
  expect(primed.get('/work/app/.rules')).toContain('viaduct:begin');
  expect(primed.get('/work/app/AGENTS.md')).toBe(theirs.get('/work/app/AGENTS.md'));
});

test('Zed gives up every file in which it may have its instructions', () => {
  const before = new Map([...theirs].filter(([file]) => file !== '/work/app/CLAUDE.md'));
  const primed = run(before, { agent: 'zed' });
  const withRules = new Map([...primed, ['/work/app/.rules', 'Be brief.\n']]);
  const removed = run(run(withRules, { agent: 'zed' }), { agent: 'zed', remove: true });
  expect(removed).toEqual(new Map([...before, ['/work/app/.rules', 'Be brief.\n']]));
});

test('a server of this name that the user has made is not replaced, nor removed', () => {
  const own = '{"mcpServers":{"viaduct":{"command":"viaduct","args":["stdio"],"env":{"DEBUG":"1"}}}}';
  const files = new Map([['/work/app/.cursor/mcp.json', own]]);
  expect(() => run(files, { agent: 'cursor' })).toThrow('it has a server "viaduct" already');
  expect(() => run(files, { agent: 'cursor', remove: true })).toThrow('is not as we write it');
});

test('an entry of ours is brought up to date', () => {
  const old = '{"mcpServers":{"viaduct":{"command":"/old/node","args":["/old/main.js","stdio"]}}}';
  const primed = run(new Map([['/work/app/.cursor/mcp.json', old]]), { agent: 'cursor' });
  expect(JSON.parse(primed.get('/work/app/.cursor/mcp.json')!)).toEqual({ mcpServers: { viaduct: entry } });
});

test('hooks are there once, and beside those of the user', () => {
  const primed = run(theirs, { agent: 'claude-code', hookCommand });
  const { hooks } = JSON.parse(primed.get('/work/app/.claude/settings.json')!) as { hooks: Record<string, unknown[]> };
  const ours = (does: 'load' | 'save') => ({
    hooks: [{ type: 'command', command: `viaduct checkpoint hook ${does}`, timeout: 30 }],
  });
  expect(hooks).toEqual({
    SessionStart: [ours('load')],
    Stop: [{ hooks: [] }, ours('save')],
    PreCompact: [ours('save')],
  });
});

describe('ide-bridge in the same files', () => {
  const replaceIdeBridge = { hookCommand };
  const hooksOf = (...commands: readonly (readonly [string, string])[]) =>
    JSON.stringify({
      hooks: Object.fromEntries(
        commands.map(([event, command]) => [event, [{ hooks: [{ type: 'command', command }] }]]),
      ),
    });
  const mark = '<!-- ide-bridge:priming -->\n# ide-bridge\n\nCall `bridge.load_checkpoint`.\n\n\n---\n\n';
  const primed: Files = new Map([
    ...theirs,
    ['/work/app/CLAUDE.md', `${mark}# App\nUse tabs.\n`],
    ['/work/app/AGENTS.md', `${mark}# App\nUse tabs.\n`],
    ['/work/app/.cursor/rules/ide-bridge.mdc', 'Call `bridge.load_checkpoint`.\n'],
    ['/work/app/.kiro/steering/ide-bridge.md', 'Call `bridge.load_checkpoint`.\n'],
    [
      '/work/app/.claude/settings.json',
      hooksOf(['SessionStart', 'ide-bridge hook load'], ['PreCompact', 'ide-bridge hook save']),
    ],
    ['/work/app/.cursor/mcp.json', '{"mcpServers":{"ide-bridge":{"url":"http://127.0.0.1:31415/mcp"}}}'],
  ]);
  const words = (files: Files) => [...files.values()].join('\n');

  test.each(PRIMABLE_AGENTS)('stays where %s is primed, until it is asked for', (agent) => {
    const next = run(primed, { agent });
    expect(words(next).match(/ide-bridge/g)?.length).toBe(words(primed).match(/ide-bridge/g)?.length);
    expect(run(next, { agent, remove: true })).toEqual(primed);
  });

  test('is replaced for Claude Code, the hooks too', () => {
    const next = run(primed, { agent: 'claude-code', replaceIdeBridge });
    const text = next.get('/work/app/CLAUDE.md')!;
    expect(text).toMatch(/^# App\nUse tabs\.\n/);
    expect(text).not.toContain('ide-bridge');
    const { hooks } = JSON.parse(next.get('/work/app/.claude/settings.json')!);
    expect(Object.keys(hooks)).toEqual(['SessionStart', 'Stop', 'PreCompact']);
    expect(JSON.stringify(hooks)).not.toContain('ide-bridge');
    expect(run(next, { agent: 'claude-code', replaceIdeBridge })).toEqual(next);
  });

  test('no hooks come where it had none, unless they are wanted', () => {
    const agent = 'claude-code';
    const settings = '/work/app/.claude/settings.json';
    expect(run(theirs, { agent, replaceIdeBridge }).get(settings)).toBe(theirs.get(settings));
    expect(run(new Map(), { agent, replaceIdeBridge }).has(settings)).toBe(false);
    expect(run(new Map(), { agent, replaceIdeBridge, hookCommand }).has(settings)).toBe(true);
  });

  test.each([
    ['cursor', '/work/app/.cursor/rules/ide-bridge.mdc'],
    ['kiro', '/work/app/.kiro/steering/ide-bridge.md'],
  ])('its own file for %s goes, if it is as it writes it', (agent, file) => {
    expect(run(primed, { agent, replaceIdeBridge }).has(file)).toBe(false);
    const mine = new Map(primed).set(file, 'My rules for a bridge.\n');
    expect(run(mine, { agent, replaceIdeBridge }).get(file)).toBe('My rules for a bridge.\n');
  });

  test('its server goes', () => {
    const next = run(primed, { agent: 'cursor', replaceIdeBridge });
    expect(Object.keys(JSON.parse(next.get('/work/app/.cursor/mcp.json')!).mcpServers)).toEqual(['viaduct']);
  });

  test('each place where it may be is told', () => {
    const { traces } = planPriming({
      agent: 'cursor',
      folder: '/work/app',
      user,
      exists: (file) => primed.has(file),
      entry,
      hookCommand: undefined,
      remove: false,
    });
    const found = traces.filter(({ file, isIn }) => isIn(primed.get(file) ?? ''));
    expect(found.map(({ file, what }) => [file, what])).toEqual([
      ['/work/app/.cursor/rules/ide-bridge.mdc', 'its text'],
      ['/work/app/.cursor/mcp.json', 'its server'],
    ]);
  });
});
