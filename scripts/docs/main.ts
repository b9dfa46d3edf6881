// Writes the generated pages of docs/. With --check it writes nothing and fails when a page is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { commandsPage } from './commands-page.ts';
import { errorsPage } from './errors-page.ts';
import { toolsPage } from './tools-page.ts';

const PAGES: Readonly<Record<string, string>> = {
  'docs/COMMANDS.md': commandsPage(),
  'docs/ERRORS.md': errorsPage(),
  'docs/TOOLS.md': await toolsPage(),
};

const checkOnly = process.argv.includes('--check');
const stale = Object.entries(PAGES).filter(([file, text]) => read(file) !== text);
for (const [file, text] of checkOnly ? [] : stale) writeFileSync(file, text);
if (checkOnly && stale.length > 0) {
  process.stderr.write(`stale: ${stale.map(([file]) => file).join(', ')}. Run: npm run docs\n`);
  process.exit(1);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not written yet
  }
}
