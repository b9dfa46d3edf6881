import path from 'node:path';
import { defineAgent } from '../agent.ts';

export const windsurf = defineAgent({
  name: 'windsurf',
  title: 'Windsurf',
  servers: {
    form: 'serverUrl',
    hasReferences: true,
    hasUrls: true,
    ofUser: ({ windsurf }) => [path.join(windsurf, 'mcp_config.json')],
    inProject: () => [],
  },
  settingsFolder: ({ windsurf }) => windsurf,
  commandFiles: ['.windsurf/*.json', '.windsurf/hooks'],
});
