import { describe, expect, test } from 'vitest';
import type { ActorStep, Director } from '../../support/clients/director.ts';
import { Stage } from '../../support/clients/stage.ts';

const sampling = (more: object): ActorStep => ({
  do: 'ask',
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: 'hm' } }], maxTokens: 1, ...more },
});
const elicitation = (more: object): ActorStep => ({
  do: 'ask',
  method: 'elicitation/create',
  params: { message: 'hm', ...more },
});

const TOOL = { name: 't', inputSchema: { type: 'object' } };

/** What a server asks, what its client lacks for that, and what would be enough. */
const QUESTIONS: readonly [string, ActorStep, object, object][] = [
  ['sampling.tools', sampling({ tools: [TOOL] }), { sampling: {} }, { sampling: { tools: {} } }],
  [
    'sampling.tools',
    sampling({ toolChoice: { mode: 'auto' } }),
    { sampling: { context: {} } },
    { sampling: { tools: {} } },
  ],
  [
    'sampling.context',
    sampling({ includeContext: 'thisServer' }),
    { sampling: { tools: {} } },
    { sampling: { context: {} } },
  ],
  ['sampling', sampling({}), { elicitation: {} }, { sampling: {} }],
  ['elicitation.form', elicitation({ requestedSchema: {} }), { elicitation: { url: {} } }, { elicitation: {} }],
  [
    'elicitation.url',
    elicitation({ mode: 'url', url: 'https://example.com/', elicitationId: '1' }),
    { elicitation: {} },
    { elicitation: { url: {} } },
  ],
];

const entry = async (director: Director) => ({ a: await director.entry() });

async function outcome(
  stage: Stage,
  name: string,
  kind: 'legacy stdio' | 'modern stdio',
  step: ActorStep,
  capabilities: any,
) {
  const party = await stage.connect(kind, name, { capabilities });
  const call = stage.begin(party);
  await call.arrived;
  stage.director.begin(call.name, { name: 'only', ...step });
  return { stage, call };
}

describe.each(QUESTIONS)('a question that needs %s', (missing, step, without, enough) => {
  test('is refused for the call of a legacy client that has not declared it, and asked of one that has', async () => {
    const stage = await Stage.open(entry);
    const refused = await outcome(stage, 'Alice', 'legacy stdio', step, without);
    const { error } = await stage.director.answerTo(refused.call.name, 'only');
    expect(error.message).toBe(`The client does not support ${missing}`);
    await stage.end(refused.call);
    const asked = await outcome(stage, 'Bob', 'legacy stdio', step, enough);
    expect((await stage.director.answerTo(asked.call.name, 'only')).error).toBeUndefined();
    await stage.end(asked.call);
  });

  test('ends the call of a modern client that has not declared it with -32021, and is asked of one that has', async () => {
    const stage = await Stage.open(entry);
    const refused = await outcome(stage, 'Alice', 'modern stdio', step, without);
    const [name, part] = missing.split('.');
    const requiredCapabilities = { [name!]: part === undefined ? {} : { [part]: {} } };
    expect(await refused.call.outcome).toMatchObject({ code: -32021, data: { requiredCapabilities } });
    const asked = await outcome(stage, 'Bob', 'modern stdio', step, enough);
    expect((await stage.director.answerTo(asked.call.name, 'only')).error).toBeUndefined();
    await stage.end(asked.call);
  });
});
