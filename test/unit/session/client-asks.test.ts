import { beforeEach, describe, expect, test } from 'vitest';
import type { GatewayError } from '../../../src/core/errors.ts';
import type { ClientAsk } from '../../../src/core/providers/provider.ts';
import { ClientAsks } from '../../../src/session/client-asks.ts';
import { toBuffer } from '../../../src/wire/bytes.ts';
import { Frame } from '../../../src/wire/frame.ts';
import {
  type NotificationMessage,
  type RequestMessage,
  type ResponseMessage,
  readMessage,
} from '../../../src/wire/message.ts';

const read = <Kind>(json: string) => readMessage(Frame.of(Buffer.from(json))) as Kind;

/** What became of an ask, in order. */
class KeepingAsk implements ClientAsk {
  readonly message: RequestMessage;
  readonly diary: string[] = [];

  constructor(json: string) {
    this.message = read<RequestMessage>(json);
  }

  onAnswer(answer: Parameters<ClientAsk['onAnswer']>[0]): void {
    this.diary.push(toBuffer(answer.withId('"theirs"')).toString());
  }

  onFailure(error: GatewayError): void {
    this.diary.push(`${error.code}: ${error.message}`);
  }

  onProgress(frame: Frame, token: Parameters<ClientAsk['onProgress']>[1]): void {
    this.diary.push(toBuffer(frame.splice([{ start: token.start, end: token.end, text: '"theirs"' }])).toString());
  }
}

const ALL = { roots: {}, sampling: {}, elicitation: {} };
const ROOTS = '{"jsonrpc":"2.0","id":"theirs","method":"roots/list"}';

let asks: ClientAsks;
let sent: string[];
beforeEach(() => {
  asks = new ClientAsks();
  sent = [];
});

function ask(json: string, capabilities: Readonly<Record<string, unknown>> = ALL) {
  const made = new KeepingAsk(json);
  const withdraw = asks.send(made, capabilities, (bytes) => sent.push(toBuffer(bytes).toString()));
  const { id } = JSON.parse(sent.at(-1) ?? '{}') as { id?: number };
  return { made, withdraw, id };
}

const respond = (json: string) => asks.onResponse(read<ResponseMessage>(json));

describe('a question to a client', () => {
  test('differs from what the upstream wrote in id and progress token only, both ours and integers', () => {
    const write = (id: string, token: string) =>
      `{"method":"sampling/createMessage", "params":{"big":9007199254740993,"_meta":{"progressToken": ${token} }},"id":${id} ,"jsonrpc":"2.0"}`;
    const { id } = ask(write('"theirs"', '"t"'));
    expect(sent).toEqual([write(String(id), String(id))]);
    expect(Number.isInteger(id)).toBe(true);
    expect(ask(ROOTS).id).toBe(id! + 1);
  });

  test.each([
    [
      '{"result":{"roots":[ 1.0 ]},"id":ID,"jsonrpc":"2.0"}',
      '{"result":{"roots":[ 1.0 ]},"id":"theirs","jsonrpc":"2.0"}',
    ],
    ['{"id":"ID","result":{}}', '{"jsonrpc":"2.0","id":"theirs","result":{}}'],
    [
      '{"jsonrpc":"2.0","id":ID,"error":{"code":-1,"message":"no"}}',
      '{"jsonrpc":"2.0","id":"theirs","error":{"code":-1,"message":"no"}}',
    ],
    [
      `{"jsonrpc":"2.0","id":ID,"result":{"text":"${'x'.repeat(5_000)}\\x"}}`,
      "INVALID_REQUEST: The client's answer is invalid: bad escape in a string at byte BYTE",
    ],
    ['{"jsonrpc":"2.0","id":ID,"result":null}', "INVALID_REQUEST: The client's answer is invalid: its result is null"],
    [
      '{"jsonrpc":"2.0","id":ID}',
      "INVALID_REQUEST: The client's answer is invalid: it has neither a result nor an error",
    ],
  ])('is answered once: %s', (answer, expected) => {
    const { made, id } = ask(ROOTS);
    const json = answer.replace('ID', String(id));
    expect([respond(json), respond(json)]).toEqual([true, false]);
    expect(made.diary).toEqual([expected.replace('BYTE', String(json.indexOf('\\') + 1))]);
  });

  test('is not answered by what was not asked', () => {
    const { made, id } = ask(ROOTS);
    for (const other of [String(id! + 1), '"x"', 'null', `${id}.0`, '-1']) {
      expect(respond(`{"jsonrpc":"2.0","id":${other},"result":{}}`)).toBe(false);
    }
    expect(made.diary).toEqual([]);
  });

  test("hears of the client's progress until it is answered", () => {
    const { made, id } = ask(ROOTS);
    const progress = (token: unknown) =>
      asks.onProgress(
        read<NotificationMessage>(
          `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${JSON.stringify(token)},"progress":1}}`,
        ),
      );
    for (const token of [id, id! + 1, 'x', null]) progress(token);
    respond(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    progress(id);
    asks.onProgress(read<NotificationMessage>('{"method":"notifications/progress"}'));
    expect(made.diary).toEqual([
      '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"theirs","progress":1}}',
      '{"jsonrpc":"2.0","id":"theirs","result":{}}',
    ]);
  });
});

describe('a question that is over', () => {
  test('by withdrawal: the client is told once, and its answer means nothing', () => {
    const { made, withdraw, id } = ask(ROOTS);
    withdraw('not "needed"');
    withdraw('again');
    expect(sent.slice(1)).toEqual([
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":"not \\"needed\\""}}`,
    ]);
    expect(respond(`{"jsonrpc":"2.0","id":${id},"result":{}}`)).toBe(false);
    expect(made.diary).toEqual([]);
  });

  test('by its answer: a withdrawal after it tells the client nothing', () => {
    const { withdraw, id } = ask(ROOTS);
    respond(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
    withdraw('late');
    expect(sent).toHaveLength(1);
  });

  test("by the client's end: each fails once", () => {
    const [one, two] = [ask(ROOTS), ask(ROOTS)];
    respond(`{"jsonrpc":"2.0","id":${one.id},"result":{}}`);
    asks.end();
    asks.end();
    two.withdraw('late');
    expect(two.made.diary).toEqual(['CALL_CANCELLED: The client has disconnected']);
    expect(one.made.diary).toHaveLength(1);
    expect(sent).toHaveLength(2);
  });
});

describe('a client that lacks a capability is not asked', () => {
  const elicit = (mode: string) => `{"id":1,"method":"elicitation/create","params":{${mode}"message":"?"}}`;

  test.each([
    ['{"id":1,"method":"roots/list"}', {}, 'roots'],
    ['{"id":1,"method":"roots/list"}', { sampling: {} }, 'roots'],
    ['{"id":1,"method":"sampling/createMessage"}', { roots: {} }, 'sampling'],
    [elicit(''), {}, 'elicitation'],
    [elicit('"mode":"url",'), { elicitation: {} }, 'elicitation.url'],
    [elicit('"mode":"url",'), { elicitation: { form: {} } }, 'elicitation.url'],
    [elicit('"mode":"form",'), { elicitation: { url: {} } }, 'elicitation.form'],
    [elicit(''), { elicitation: { url: {} } }, 'elicitation.form'],
    ['{"id":1,"method":"tasks/list"}', ALL, 'tasks/list'],
    ['{"id":1,"method":"toString"}', ALL, 'toString'],
    ['{"id":1,"method":"__proto__"}', ALL, '__proto__'],
  ] as const)('%s %j: %s', (json, capabilities, missing) => {
    const { made, withdraw } = ask(json, capabilities);
    withdraw('nothing to withdraw');
    expect(made.diary).toEqual([`CAPABILITY_MISSING: The client does not support ${missing}`]);
    expect(sent).toEqual([]);
  });

  test.each([
    [elicit(''), { elicitation: {} }],
    [elicit('"mode":"form",'), { elicitation: {} }],
    [elicit('"mode":"form",'), { elicitation: { form: {}, url: {} } }],
    [elicit('"mode":"url",'), { elicitation: { url: {} } }],
    ['{"id":1,"method":"roots/list"}', { roots: { listChanged: true } }],
  ])('but one that has it is: %s %j', (json, capabilities) => {
    const { made } = ask(json, capabilities);
    expect(made.diary).toEqual([]);
    expect(sent).toHaveLength(1);
  });
});
