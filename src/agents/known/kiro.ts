import path from 'node:path';
import { defineAgent, type PrimingFiles } from '../agent.ts';

const HEADER = '---\ninclusion: always\n---\n\n';

export const kiro = defineAgent({
  name: 'kiro',
  title: 'Kiro',
  client: { names: /^(kiro|amazon[- ]q)\b/, consumes: 'L1' },
  priming: {
    inProject: (folder) => filesIn(path.join(folder, '.kiro')),
    ofUser: ({ home }) => filesIn(path.join(home, '.kiro')),
  },
  commandFiles: ['.kiro/settings', '.kiro/hooks', '.kiro/agents'],
});

function filesIn(folder: string): PrimingFiles {
  return {
    instructions: { file: path.join(folder, 'steering', 'viaduct.md'), header: HEADER },
    servers: { file: path.join(folder, 'settings', 'mcp.json'), form: 'mcpServers' },
    ideBridgeFile: path.join(folder, 'steering', 'ide-bridge.md'),
    byHand: [],
  };
}
