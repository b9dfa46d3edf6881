import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { RawClient } from '../../support/clients/raw-client.ts';
import { connectStdio, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import type { Place } from '../../support/stores/checkpoint-writers.ts';
import { databases, type Kind } from '../../support/stores/databases.ts';
import { type Call, callerOf } from '../tasks-workflow/setup.ts';

/** A small repository in several languages; the two functions about prices have much in common. */
export const FILES: Readonly<Record<string, string>> = {
  'package.json': '{"name":"shop"}\n',
  '.gitignore': 'generated/\n',
  'src/cart.py': `"""The cart of a customer."""


class Cart:
    """Holds what a customer wants to buy."""

    def __init__(self):
        self.items = []

    def add_item(self, item, quantity=1):
        """Puts an item into the cart."""
        self.items.append((item, quantity))

    def total_price(self):
        """Adds the prices of all items."""
        return sum(item.price * quantity for item, quantity in self.items)
`,
  'src/srcx.ts': 'export const quantityOfNothing = 0;\n',
  'lib/discount.ts': `import { Cart } from './cart';

/** Takes a percentage off the total price of a cart. */
export function applyDiscount(total: number, percent: number): number {
  return total - (total * percent) / 100;
}

export function formatPrice(cents: number): string {
  return (cents / 100).toFixed(2);
}
`,
  'docs/guide.md': '# Guide\n\n## Returns\n\nGoods can be sent back within thirty days.\n',
  'generated/discount.js': 'function applyDiscount() {}\n',
  '.env': 'PASSWORD=hunter2hunter2\n',
};

/** Writes files into a new folder and returns it. */
export function repository(files: Readonly<Record<string, string>> = FILES): string {
  const folder = path.join(temporaryFolder(), 'shop');
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

/** A repository in which each folder of `packages` has a file of its own. */
export function monorepo(): string {
  const folder = repository({
    'package.json': '{}\n',
    'packages/a/src/one.ts': 'export const numbat = "of a";\n',
    'packages/b/src/two.ts': 'export const numbat = "of b";\n',
  });
  for (const name of ['objects', 'refs']) mkdirSync(path.join(folder, '.git', name), { recursive: true });
  writeFileSync(path.join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  return folder;
}

/** Returns the files that an answer of `search_code` has results of. */
export const filesIn = ({ results }: any): string[] => results.map(({ file_path: file }: any) => file);

/** Gateways with the workflow on databases of a kind. */
export function codeGateways(kind: Kind) {
  const { newPlace } = databases(kind);
  const configOf = ({ url }: Place, more: object = {}) =>
    writeConfig({ enabledWorkflows: ['codebase'], ...(url !== undefined && { database: url }), ...more });
  const envOf = ({ home }: Place) => ({ ...process.env, VIADUCT_HOME: home });
  const client = (place: Place, more: object = {}): Promise<RawClient> =>
    connectStdio(configOf(place, more), { env: envOf(place) });
  return {
    newPlace,
    configOf,
    envOf,
    client,
    connect: async (place: Place, more: object = {}): Promise<Call> => callerOf(await client(place, more)),
  };
}

/** Asks until the folder has been looked through and nothing is being indexed: on a busy machine answers come before that. */
export async function onceLooked(ask: () => Promise<any>): Promise<any> {
  for (;;) {
    const answer = await ask();
    const isEarly = (note: string) => note.includes('still being looked through') || note.startsWith('Indexing:');
    if (answer.notes?.some(isEarly) !== true) return answer;
  }
}
