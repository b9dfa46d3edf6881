import { expect, test } from 'vitest';
import type { ActorStep } from '../../support/clients/director.ts';
import { Stage } from '../../support/clients/stage.ts';

/** Nothing of it is known to any revision of the protocol. It has pointers' names in places where no rule looks. */
const UNKNOWN = {
  uri: 'memo://one',
  resourceUri: 'ui://app/main.html',
  _meta: { 'com.example/trace': { uri: 'file:///notes.txt' }, 'com.example/list': [1, { deep: null }] },
  content: [{ type: 'hologram', beam: [1, 2, 3], uri: 'ui://app/beam.html', _meta: { 'com.example/x': true } }],
  'x-member': { '': [], ui: { resourceUri: 'ui://app/main.html' } },
};

const notice: ActorStep = { do: 'notify', method: 'notifications/com.example/thing', params: UNKNOWN };

const question: ActorStep = {
  do: 'ask',
  method: 'elicitation/create',
  params: {
    message: 'Which?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, 'x-schema': [1] },
    'x-member': UNKNOWN['x-member'],
    _meta: UNKNOWN._meta,
  },
};

const ERAS = ['legacy', 'modern'] as const;

// For what is unknown in results, and in content blocks: fidelity.test.ts.
for (const upstreamEra of ERAS)
  for (const kind of ['legacy stdio', 'modern stdio'] as const)
    test(`what no rule covers arrives byte for byte: ${upstreamEra} server, ${kind} client`, async () => {
      const stage = await Stage.open(async (director) => ({ a: await director.entry('stdio', upstreamEra) }));
      const client = await stage.connect(kind, 'Alice');
      const call = stage.begin(client);
      await call.arrived;
      await stage.director.tell(call.name, notice);
      stage.director.begin(call.name, question);
      await stage.director.answerTo(call.name, 'only');
      await stage.end(call);
      const heard = client.heard();
      expect(heard.filter((text) => text.includes('"notifications/com.example/thing"'))).toEqual([
        JSON.stringify({ jsonrpc: '2.0', method: notice.method, params: UNKNOWN }),
      ]);
      const asked = heard.filter((text) => text.includes('elicitation/create'));
      expect(asked).toHaveLength(1);
      expect(asked[0]).toContain(JSON.stringify(question.params).slice(1, -1));
    });
