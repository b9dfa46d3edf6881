import path from 'node:path';
import { defineAgent } from '../agent.ts';

export const claudeDesktop = defineAgent({
  name: 'claude-desktop',
  title: 'Claude Desktop',
  servers: {
    form: 'mcpServers',
    hasReferences: false,
    hasUrls: false,
    startsWithoutShell: true,
    ofUser: ({ claudeDesktop }) => [path.join(claudeDesktop, 'claude_desktop_config.json')],
    inProject: () => [],
  },
  settingsFolder: ({ claudeDesktop }) => claudeDesktop,
  commandFiles: ['claude_desktop_config.json'],
});
