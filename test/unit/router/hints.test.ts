import { expect, test } from 'vitest';
import { Catalogue } from '../../../src/catalogue/catalogue.ts';
import type { GatewayError } from '../../../src/core/errors.ts';
import { type Caller, NOTHING_TO_CANCEL, type ProviderCall } from '../../../src/core/providers/provider.ts';
import { Router } from '../../../src/router/router.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { readCallText } from '../../../src/wire/edits/call-text.ts';
import { madeRequest } from '../../../src/wire/message.ts';
import { errorReply, openReply, type Reply } from '../../../src/wire/reply.ts';
import { Offering } from '../catalogue/provider.ts';

const FOR_APPS = ',"_meta":{"ui":{"visibility":["app"]}}';
const ERROR = errorReply({ code: -32602, message: 'no such thing' });

/** Answers every call with an error, as an upstream would send it. */
class Failing extends Offering {
  override call({ caller }: ProviderCall = {} as ProviderCall) {
    caller.onReply({ ...ERROR, source: openReply(ERROR) });
    return NOTHING_TO_CANCEL;
  }
}

/** A router with two servers: both have the tool `search_notes`, and `a` the tool `render_chart` for its apps. */
function open({ troubles = [] }: { readonly troubles?: readonly string[] } = {}) {
  const a = new Failing('a', {
    tool: ['{"name":"search_notes"}', `{"name":"render_chart"${FOR_APPS}}`],
    prompt: ['{"name":"summarise"}'],
  });
  a.unlisted = ['search_notez', 'summarize'];
  const catalogue = new Catalogue({ maxNameLength: () => 64 });
  catalogue.setProviders([a, new Failing('b', { tool: ['{"name":"search_notes"}'] })]);
  const view = catalogue.openView(undefined, () => undefined);
  const router = new Router(view, [], { troubles: () => troubles });
  return (method: string, params: object): string[] => {
    const told: string[] = [];
    const text = readCallText(madeRequest(method, JSON.stringify(params)));
    if ('problem' in text) throw new Error(text.problem);
    router.call(text, {
      client: { era: 'legacy', clientId: 'c' },
      onFailure: ({ code, message }: GatewayError) => told.push(`${code}: ${message}`),
      onReply: (reply: Reply) => told.push(JSON.parse(toBuffer(reply.withId('1')).toString()).error.message),
    } as unknown as Caller);
    return told;
  };
}

const completion = (ref: object) => ({ ref, argument: { name: 'x', value: 'y' } });

test('an unknown prompt comes with the name that was probably meant, and servers in trouble', () => {
  const send = open({ troubles: ['c is away'] });
  const [told, ...more] = send('prompts/get', { name: 'a_sumarise' });
  expect(more).toEqual([]);
  expect(told).toMatch(/^UNKNOWN_PROMPT: Unknown prompt: a_sumarise\. .*a_summarise.* in trouble: c is away\.$/);
});

test.each([
  ['prompt', { type: 'ref/prompt', name: 'a_sumarise' }, 'prompt: a_sumarise'],
  ['resource template', { type: 'ref/resource', uri: 'note:{id}' }, 'resource template: note:{id}'],
])('a completion for an unknown %s gets no hint: no model reads it', (_what, ref, unknown) => {
  const send = open({ troubles: ['c is away'] });
  expect(send('completion/complete', completion(ref))).toEqual([`UNKNOWN_PROMPT: Unknown ${unknown}`]);
});

test('an unknown resource gets no hint', () => {
  const send = open({ troubles: ['c is away'] });
  expect(send('resources/read', { uri: 'note:1' })).toEqual(['UNKNOWN_RESOURCE: Unknown resource: note:1']);
});

test('the method decides what an unknown uri is', () => {
  const unknown = ['INVALID_PARAMS: Unknown skill or directory: skill://x'];
  expect(open()('skills/get', { uri: 'skill://x' })).toEqual(unknown);
  expect(open()('resources/directory/read', { uri: 'skill://x' })).toEqual(unknown);
});

test('an unknown tool comes with the names that were probably meant, never with a tool for apps', () => {
  const [told] = open()('tools/call', { name: 'b_search_notez' });
  expect(told).toMatch(/^UNKNOWN_TOOL: Unknown tool: b_search_notez\. .*b_search_notes/);
  expect(open()('tools/call', { name: 'a_render_chard' })).toEqual(['UNKNOWN_TOOL: Unknown tool: a_render_chard']);
});

test('a tool that several servers have under this name is answered once, with its public names', () => {
  expect(open()('tools/call', { name: 'search_notes' })).toEqual([
    'UNKNOWN_TOOL: Unknown tool: search_notes. Several servers have a tool of this name: ' +
      'call a_search_notes or b_search_notes',
  ]);
});

test('an error about a tool that its server does not list comes with a hint; no other error does', () => {
  const send = open({ troubles: ['c is away'] });
  const [unlisted] = send('tools/call', { name: 'a_search_notez' });
  expect(unlisted).toMatch(/^no such thing\. .*a_search_notes/);
  expect(unlisted).not.toContain('c is away');
  expect(send('tools/call', { name: 'a_search_notes' })).toEqual(['no such thing']);
  expect(send('prompts/get', { name: 'a_summarize' })).toEqual(['no such thing']);
});
