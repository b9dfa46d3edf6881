// npm runs this before it publishes. A dry run shows what would be published, and may be made before there is an owner.
import { readFileSync } from 'node:fs';
import { refusePlaceholders } from './placeholders.mjs';

if (process.env.npm_config_dry_run !== 'true') {
  try {
    refusePlaceholders(JSON.parse(readFileSync('package.json', 'utf8')));
  } catch (error) {
    process.stderr.write(`not published: ${error.message}\n`);
    process.exitCode = 1;
  }
}
