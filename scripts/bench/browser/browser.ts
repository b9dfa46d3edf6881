import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '../../../src/browser/page/page.ts';
import { snapshot } from '../../../src/browser/snapshot/snapshot.ts';
import { removeFolder } from '../../../test/support/folders.ts';
import { StdioClient } from '../clients.ts';
import { median, percentile } from '../measure.ts';
import { tokensOf } from '../search/tokens.ts';
import { BROWSER, openPage, SANDBOX } from './open-page.ts';
import { openShop } from './shop.ts';
import { doTask, type StepCost } from './task.ts';

type Print = (line?: string) => void;
type Table = (head: readonly string[], rows: readonly (readonly string[])[]) => void;

const ROUNDS = 20;
const MAX_CHARACTERS = 20_000;

/** Prints what a snapshot of a large page takes, and what a task of ten steps costs an agent. */
export async function browserFigures(out: Print, table: Table): Promise<void> {
  if (BROWSER === undefined) {
    out(
      'browser: there is none here. Install one with "apt-get install chromium", or name one in VIADUCT_TEST_BROWSER.',
    );
    return;
  }
  out(`snapshot of a page of 5,000 elements, up to ${MAX_CHARACTERS} characters; goal: p95 300 ms`);
  table(['', 'median ms', 'p95 ms', 'tokens'], await snapshotRows(BROWSER));
  const costs = await taskCosts(BROWSER);
  out('tokens (o200k) of all results of a task of ten steps; goal: 15000');
  const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  table(
    ['step', 'tokens'],
    [...costs, { name: 'all', tokens: total }].map(({ name, tokens }) => [name, String(tokens)]),
  );
}

/** 5,000 elements, 2,000 of which can be acted upon. */
const LARGE_PAGE = `document.body.innerHTML = '<ul>' + Array.from({ length: 833 }, (_, i) => '<li><a href="/product/' + i +
  '">Product <b>' + i + '</b></a> <span>€ 2.50</span> <span>In stock</span><button>Buy</button></li>').join('') + '</ul>'`;

async function snapshotRows(file: string): Promise<readonly (readonly string[])[]> {
  const { page, stop } = await openPage(file);
  try {
    await page.session.send('Runtime.evaluate', { expression: LARGE_PAGE });
    return [await snapshotRow(page, 'whole', false), await snapshotRow(page, 'difference', true)];
  } finally {
    await stop();
  }
}

async function snapshotRow(page: Page, name: string, difference: boolean): Promise<readonly string[]> {
  const times: number[] = [];
  let tokens = 0;
  for (let round = 0; round <= ROUNDS; round++) {
    const from = performance.now();
    const { text } = await snapshot(page, { difference, maxCharacters: MAX_CHARACTERS }, AbortSignal.timeout(60_000));
    times.push(performance.now() - from);
    tokens = tokensOf(text);
  }
  // The first round is for the compilers.
  const sorted = times.slice(1).sort((a, b) => a - b);
  return [name, median(sorted).toFixed(0), percentile(sorted, 0.95).toFixed(0), String(tokens)];
}

async function taskCosts(file: string): Promise<readonly StepCost[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-bench-task-'));
  const shop = await openShop();
  const client = gatewayClient(folder, file);
  try {
    await client.initialize();
    return await doTask(client, shop.url);
  } finally {
    await client.close();
    shop.stop();
    removeFolder(folder);
  }
}

function gatewayClient(folder: string, browser: string): StdioClient {
  const config = path.join(folder, 'config.yaml');
  const webview = { browser, sandbox: SANDBOX, allowHosts: ['127.0.0.1'] };
  const settings = { schemaVersion: 1, log: { level: 'error' }, enabledWorkflows: ['webview'], workflows: { webview } };
  writeFileSync(config, JSON.stringify(settings));
  const args = [path.resolve('dist/main.js'), 'stdio', '--config', config];
  const env = { ...process.env, VIADUCT_HOME: path.join(folder, 'home'), VIADUCT_GATEWAY: 'private' };
  return new StdioClient(process.execPath, args, env, false);
}
