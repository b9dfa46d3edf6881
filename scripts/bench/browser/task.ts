import type { StdioClient } from '../clients.ts';
import { tokensOf } from '../search/tokens.ts';

/** A call of a tool. */
type Call = readonly [tool: string, args: object];

/** Something that a user wants, and the calls by which an agent does it. */
interface Step {
  readonly name: string;
  readonly calls: readonly Call[];
}

/** A step with the tokens (o200k) of the results of its calls. */
export interface StepCost {
  readonly name: string;
  readonly tokens: number;
}

const click = (selector: string): Call => ['webview_click', { selector }];
const wait = (selector: string): Call => ['webview_wait', { selector }];
const fill = (values: Readonly<Record<string, string | boolean>>): Call => [
  'webview_fill',
  { fields: Object.entries(values).map(([selector, value]) => ({ selector, value })) },
];
const WHOLE: Call = ['webview_snapshot', {}];
const CHANGES: Call = ['webview_snapshot', { difference: true }];

const stepsIn = (url: string): readonly Step[] => [
  {
    name: 'open',
    calls: [
      ['webview_connect', { launch: true }],
      ['webview_navigate', { url }],
    ],
  },
  { name: 'read', calls: [WHOLE] },
  {
    name: 'log in',
    calls: [
      click('a[href="/login"]'),
      wait('#user'),
      CHANGES,
      fill({ '#user': 'ada@example.org', '#password': 'correct horse' }),
      CHANGES,
      click('.login button'),
      wait('.account'),
      CHANGES,
    ],
  },
  { name: 'search', calls: [['webview_type', { selector: '[name=q]', text: 'tea\n' }], wait('.results'), CHANGES] },
  { name: 'open a product', calls: [click('a[href="/product/2"]'), wait('.add'), CHANGES] },
  { name: 'add to the cart', calls: [click('.add button'), wait('.cart'), CHANGES] },
  {
    name: 'fill the form',
    calls: [
      click('.next'),
      wait('.checkout'),
      CHANGES,
      fill({ '#name': 'Ada L.', '#street': 'Main St 1', '#city': 'Graz', '#postcode': '8010' }),
      fill({ '#country': 'Austria', '#express': true, '#terms': true }),
      CHANGES,
    ],
  },
  { name: 'submit', calls: [click('.checkout button'), wait('.thanks'), CHANGES] },
  { name: 'read the orders', calls: [click('a[href="/orders"]'), wait('.orders'), CHANGES] },
  { name: 'log out', calls: [click('a[href="/logout"]'), wait('a[href="/login"]'), CHANGES] },
];

/**
 * Does the task of ten steps through a gateway.
 * @param client after its handshake
 * @param url of the shop
 * @throws Error if a call fails
 */
export async function doTask(client: StdioClient, url: string): Promise<readonly StepCost[]> {
  const costs: StepCost[] = [];
  for (const { name, calls } of stepsIn(url)) {
    let tokens = 0;
    for (const one of calls) tokens += tokensOf(await textOf(client, one));
    costs.push({ name, tokens });
  }
  return costs;
}

interface Answer {
  readonly error?: { readonly message: string };
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text?: string }[] };
}

async function textOf(client: StdioClient, [name, args]: Call): Promise<string> {
  const answer = await client.request('tools/call', JSON.stringify({ name, arguments: args }));
  const { error, result } = JSON.parse(answer.toString()) as Answer;
  const text = result?.content.map((block) => block.text ?? '').join('\n') ?? error?.message ?? '';
  if (result === undefined || result.isError) throw new Error(`${name} failed: ${text}`);
  return text;
}
