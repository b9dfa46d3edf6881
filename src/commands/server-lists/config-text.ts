import type { WorkflowDefinition } from '../../workflows/define.ts';
import { entryLines, type WrittenEntry } from './entry-lines.ts';

/** Returns the text of a new config: commented, valid, and with the servers that were taken over, if any. */
export function configText(workflows: readonly WorkflowDefinition[], entries: readonly WrittenEntry[]): string {
  return [
    '# The config of Viaduct. `viaduct config check` checks it, `viaduct doctor` tries it; docs/CONFIG.md has every key.',
    '# Viaduct reads it again whenever it is saved; a viaduct.yaml of a working folder once you have run `viaduct trust`.',
    'schemaVersion: 1',
    '',
    '# Built-in workflows. Remove the # in front of those you want.',
    'enabledWorkflows:',
    ...workflows.map(({ name, description }) => `  # - ${name} # ${description}`),
    '',
    "# The MCP servers behind the gateway. Entries look as in an agent's config; their tools are called <name>_<tool>.",
    'upstreams:',
    ...(entries.length === 0 ? EXAMPLE : entries.flatMap((entry) => entryLines(entry, '  '))),
    '',
    '# server: { host: 127.0.0.1, port: 31415 } # where `viaduct serve` listens',
    '# log: { level: info }',
    '',
  ].join('\n');
}

const EXAMPLE = [
  '  # everything:',
  '  #   command: npx',
  '  #   args: [-y, "@modelcontextprotocol/server-everything"]',
  '  #   env:',
  '  #     API_TOKEN: ${API_TOKEN:-} # taken from the environment, and never logged',
  '  #   tools: { deny: ["delete_*"] } # hides tools from clients',
];
