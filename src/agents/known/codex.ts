import path from 'node:path';
import { defineAgent, plainFile } from '../agent.ts';
import type { GatewayEntry } from '../gateway-entry.ts';

export const codex = defineAgent({
  name: 'codex',
  title: 'Codex',
  client: { names: /^(openai[- ])?codex\b/, consumes: 'L2' },
  servers: {
    form: 'toml',
    hasReferences: false,
    hasUrls: true,
    ofUser: ({ codex }) => [path.join(codex, 'config.toml')],
    inProject: (folder) => [path.join(folder, '.codex', 'config.toml')],
  },
  shownEntry: {
    where: '~/.codex/config.toml',
    text: (entry) => `[mcp_servers.viaduct]\n${lines(entry)}`,
  },
  priming: {
    inProject: (folder) => ({
      instructions: plainFile(path.join(folder, 'AGENTS.md')),
      byHand: ['Codex reads .codex/config.toml only in projects that it trusts'],
    }),
    ofUser: ({ codex }) => ({ instructions: plainFile(path.join(codex, 'AGENTS.md')), byHand: [] }),
  },
  settingsFolder: ({ codex }) => codex,
  commandFiles: ['.codex/*.toml', '.codex/*.json', '.codex/hooks', '.codex/rules'],
});

function lines(entry: GatewayEntry): string {
  if ('url' in entry) return `url = ${JSON.stringify(entry.url)}`;
  const args = entry.args.map((arg) => JSON.stringify(arg)).join(', ');
  return `command = ${JSON.stringify(entry.command)}\nargs = [${args}]`;
}
