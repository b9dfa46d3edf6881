import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { defineAgent, plainFile } from '../../../src/agents/agent.ts';
import { commandFiles, userCommandPlaces } from '../../../src/agents/command-files.ts';
import { KNOWN_AGENTS } from '../../../src/agents/index.ts';
import { userFolders } from '../../../src/agents/user-folders.ts';
import { readAgent } from '../../../src/commands/checkpoint/agents/read-agent.ts';
import { findAgents } from '../../../src/commands/init/found-agents.ts';
import { clientEntries } from '../../../src/commands/serve/client-entries.ts';
import { agentCalled } from '../../../src/commands/server-lists/agent-called.ts';
import { readAgentServers } from '../../../src/commands/server-lists/read-agent.ts';
import { UsageError } from '../../../src/commands/terminal/usage-error.ts';
import { adapterFor } from '../../../src/workflows/checkpoint/adapters/adapters.ts';
import { planPriming, primableAgents } from '../../../src/workflows/checkpoint/adapters/priming/plan.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const acme = defineAgent({
  name: 'acme',
  title: 'Acme',
  client: { names: /^acme\b/, consumes: 'L2' },
  servers: {
    form: 'mcpServers',
    hasReferences: true,
    hasUrls: true,
    ofUser: ({ home }) => [path.join(home, '.acme', 'servers.json')],
    inProject: (folder) => [path.join(folder, '.acme-project', 'servers.json')],
  },
  shownEntry: { where: '~/.acme/servers.json', text: (entry) => ('url' in entry ? entry.url : entry.command) },
  priming: {
    inProject: (folder) => ({ instructions: plainFile(path.join(folder, 'ACME.md')), byHand: ['restart Acme'] }),
    ofUser: () => ({ byHand: [] }),
    hookSettings: (folder) => path.join(folder, '.acme', 'hooks.json'),
  },
  conversation: { format: 'claude-session', folder: ({ home }) => path.join(home, '.acme', 'sessions') },
  settingsFolder: ({ home }) => path.join(home, '.acme'),
  commandFiles: ['.acme/*.json'],
});
const agents = [...KNOWN_AGENTS, acme];

function scene() {
  const [home, project] = [temporaryFolder(), temporaryFolder()];
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const env = { HOME: home };
  return { home, project, env, write, user: userFolders(env, { home, platform: 'linux' }) };
}

describe('an agent that is added to the table', () => {
  test('is known to import and export', () => {
    expect(agentCalled('acme', agents)).toBe(acme);
    expect(() => agentCalled('acme')).toThrow(UsageError);
    expect(() => agentCalled('kiro', agents)).toThrow('there is no agent "kiro"');
    expect(() => agentCalled('nobody-knows-it', agents)).toThrow(/Known: claude-code, .*, acme$/);
  });

  test('has its servers read, also from a file that is named', async () => {
    const { project, env, write } = scene();
    const file = path.join(project, 'nested', '.acme-project', 'servers.json');
    write(file, '{ "mcpServers": { "a": { "command": "a", "args": ["${workspaceFolder}"] } } }');
    const source = { agent: undefined, file, env, cwd: project, configPath: path.join(project, 'viaduct.yaml') };
    const roots = async (table?: typeof agents) =>
      (await readAgentServers(source, table)).servers.map(({ root }) => root);
    expect(await roots(agents)).toEqual([path.join(project, 'nested')]);
    expect(await roots()).toEqual([undefined]);
  });

  test('is found by init', async () => {
    const { home, project, env, write } = scene();
    const file = path.join(home, '.acme', 'servers.json');
    write(file, '{ "mcpServers": { "a": { "command": "a" } } }');
    expect(await findAgents(env, project, agents)).toEqual([{ agent: 'acme', title: 'Acme', file, servers: 1 }]);
    expect(await findAgents(env, project)).toEqual([]);
  });

  test('is recognised as a client', () => {
    expect(adapterFor('Acme IDE', agents)).toEqual({ ide: 'acme', consumes: 'L2' });
    expect(adapterFor('Acme IDE')).toEqual({ ide: 'generic', consumes: 'L1' });
  });

  test('is primed: instructions, server entry and hooks', () => {
    const { project, user } = scene();
    const options = {
      agent: 'acme',
      folder: project,
      user,
      exists: () => false,
      entry: { command: 'viaduct', args: ['stdio'] },
      hookCommand: () => 'viaduct checkpoint hook load',
      remove: false,
    };
    const { changes, byHand } = planPriming(options, agents);
    expect(changes.map(({ file, what }) => [path.relative(project, file), what])).toEqual([
      ['ACME.md', 'instructions'],
      [path.join('.acme-project', 'servers.json'), 'server entry'],
      [path.join('.acme', 'hooks.json'), 'hooks'],
    ]);
    expect(byHand).toEqual(['restart Acme']);
    expect(primableAgents(agents)).toContain(acme);
    expect(planPriming(options).changes).toEqual([]);
  });

  test('has its conversation captured', async () => {
    const { home, project, env, write } = scene();
    const session = path.join(home, '.acme', 'sessions', project.replace(/[^A-Za-z0-9]/g, '-'), 's.jsonl');
    write(session, `${JSON.stringify({ type: 'user', message: { content: 'build a bridge' } })}\n`);
    const source = { ide: 'acme', folder: project, env, keep: 5 };
    expect(await readAgent(source, agents)).toMatchObject({
      conversation: { last_n_turns: [{ role: 'user', content: 'build a bridge' }] },
    });
    expect(await readAgent(source)).toEqual({});
  });

  test('has an entry that serve prints, in both forms', () => {
    const facts = { url: 'http://127.0.0.1:1/mcp', command: 'viaduct', args: [] };
    expect(clientEntries(facts, agents).slice(-2)).toEqual([
      { client: 'Acme, by command', where: '~/.acme/servers.json', text: 'viaduct' },
      { client: 'Acme, by URL', where: '~/.acme/servers.json', text: 'http://127.0.0.1:1/mcp' },
    ]);
  });

  test('has its files and settings protected from tools', () => {
    const { home, user } = scene();
    expect(commandFiles(agents)).toContainEqual({ of: 'Acme', patterns: ['.acme/*.json'] });
    expect(userCommandPlaces(user, agents)).toEqual([
      ...userCommandPlaces(user).slice(0, 8),
      path.join(home, '.acme', 'servers.json'),
      ...userCommandPlaces(user).slice(8),
      path.join(home, '.acme'),
    ]);
  });
});

test('names of agents are unique, and the docs name each of them', () => {
  const names = KNOWN_AGENTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const [servers, checkpoints] = ['docs/AGENTS.md', 'docs/CHECKPOINTS.md'].map((file) => readFileSync(file, 'utf8'));
  for (const agent of KNOWN_AGENTS) {
    if (agent.servers !== undefined) expect(servers).toContain(`\`${agent.name}\``);
    if (agent.priming !== undefined) expect(checkpoints).toContain(`\`${agent.name}\``);
  }
});

test('the entries of serve are those that agents read', () => {
  const entries = clientEntries({
    url: 'http://127.0.0.1:1/mcp',
    command: '/opt/my node',
    args: ['stdio', '-c', 'a"b'],
  });
  expect(entries.map(({ client }) => client)).toEqual(
    ['Claude Code', 'Cursor', 'VS Code', 'Codex'].flatMap((title) => [`${title}, by command`, `${title}, by URL`]),
  );
  expect(entries.map(({ text }) => (text.startsWith('{') ? JSON.parse(text) : text))).toEqual([
    `claude mcp add viaduct -- '/opt/my node' stdio -c 'a"b'`,
    'claude mcp add --transport http viaduct http://127.0.0.1:1/mcp',
    { mcpServers: { viaduct: { command: '/opt/my node', args: ['stdio', '-c', 'a"b'] } } },
    { mcpServers: { viaduct: { url: 'http://127.0.0.1:1/mcp' } } },
    { servers: { viaduct: { type: 'stdio', command: '/opt/my node', args: ['stdio', '-c', 'a"b'] } } },
    { servers: { viaduct: { type: 'http', url: 'http://127.0.0.1:1/mcp' } } },
    '[mcp_servers.viaduct]\ncommand = "/opt/my node"\nargs = ["stdio", "-c", "a\\"b"]',
    '[mcp_servers.viaduct]\nurl = "http://127.0.0.1:1/mcp"',
  ]);
});
