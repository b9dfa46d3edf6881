import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputRequiredResult, readRetry, requiredUrls, responseProblem } from '../../../src/era/input-required.ts';
import { type CallText, readCallText } from '../../../src/wire/edits/call-text.ts';
import { Frame } from '../../../src/wire/frame.ts';
import { lastMember, membersOf } from '../../../src/wire/lens.ts';
import { type RequestMessage, type ResponseMessage, readMessage } from '../../../src/wire/message.ts';
import { errorReply, type Reply, relayedReply, resultReply } from '../../../src/wire/reply.ts';
import { oneLine } from '../wire/arbitraries.ts';
import { memberSlices, memberTexts, objectText, spaces } from '../wire/object-texts.ts';

const read = <Kind>(json: string): Kind => readMessage(Frame.of(Buffer.from(json))) as Kind;
const asked = (method: string, params?: string): RequestMessage =>
  read(`{"jsonrpc":"2.0","id":7,"method":"${method}"${params === undefined ? '' : `,"params":${params}`}}`);

describe('a question on its way to a modern client', () => {
  const questions = (messages: Record<string, RequestMessage>, state = 's') =>
    Buffer.from(inputRequiredResult(new Map(Object.entries(messages)), state), 'latin1').toString();

  test('is a result that needs its answer, under its key and with the state', () => {
    const json = questions(
      { 'a "é"': asked('roots/list'), b: asked('sampling/createMessage', '{"maxTokens":1.0}') },
      'é"',
    );
    expect(json).toBe(
      '{"resultType":"input_required","inputRequests":{"a \\"é\\"":{"method":"roots/list"},' +
        '"b":{"method":"sampling/createMessage","params":{"maxTokens":1.0}}},"requestState":"é\\""}',
    );
  });

  const paramsOf = (json: string) => /"params":(.*)\}\},"requestState"/s.exec(json)![1]!;

  test.each([
    ['{"elicitationId":"e","url":"u"}', '{"url":"u"}'],
    ['{ "url":"u" , "elicitation\\u0049d":"e" }', '{ "url":"u" }'],
    ['{"task":{"ttl":1},"message":"é"}', '{"message":"é"}'],
    ['{"message":"m","_meta":{"progressToken":5}}', '{"message":"m"}'],
    ['{"_meta":{ "progressToken":5 , "k":1.0},"message":"m"}', '{"_meta":{ "k":1.0},"message":"m"}'],
    ['{"_meta":{"k":1,"progressToken":5},"task":1}', '{"_meta":{"k":1}}'],
    ['{"_meta":{}}', '{"_meta":{}}'],
    ['{"_meta":null,"task":null}', '{"_meta":null}'],
    ['[1]', '[1]'],
  ])('%s → %s', (params, expected) => {
    expect(paramsOf(questions({ q: asked('elicitation/create', params) }))).toBe(expected);
  });

  test('loses what only the legacy era knows, and nothing else', () => {
    const keys = fc.constantFrom('"message"', '"x"', '"elicitationId"', '"task"', '"__proto__"', '"progressToken"');
    const metaKeys = fc.constantFrom('"k"', '"progressToken"', '"progress\\u0054oken"');
    const meta = memberTexts(
      fc.constant('"_meta"'),
      fc
        .tuple(fc.array(memberTexts(metaKeys), { maxLength: 3 }), spaces)
        .map(([all, inside]) => objectText(all, inside)),
    );
    const params = fc
      .tuple(fc.array(memberTexts(keys), { maxLength: 4 }), fc.option(meta), fc.nat(4))
      .map(([members, metaMember, at]) => {
        const all = [...members];
        if (metaMember !== null) all.splice(Math.min(at, all.length), 0, metaMember);
        return objectText(all);
      });
    const parts = (json: string) => {
      const text = Buffer.from(json);
      const span = lastMember(membersOf(text), '_meta');
      return {
        members: memberSlices(text).filter((member) => !member.startsWith('"_meta"')),
        meta: span === undefined ? [] : memberSlices(text, span),
      };
    };
    fc.assert(
      fc.property(params, (json) => {
        const before = parts(oneLine(json));
        expect(parts(paramsOf(questions({ q: asked('elicitation/create', json) })))).toEqual({
          members: before.members.filter((member) => !/^"(elicitationId|task)"/.test(member)),
          meta: before.meta.filter((member) => !member.startsWith('"progress')),
        });
      }),
      { numRuns: 300 },
    );
  });
});

describe('what a second try brings', () => {
  const retry = (members: string) => {
    const json = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"${members}}}`;
    const call = readCallText(read<RequestMessage>(json)) as CallText;
    const found = readRetry(call);
    if ('problem' in found) return found;
    const { text } = call.message.frame;
    const responses = [...found.responses].map(([key, { start, end }]) => [key, text.toString('utf8', start, end)]);
    return { ...found, responses: Object.fromEntries(responses) };
  };

  test.each([
    ['', { requestState: undefined, responses: {} }],
    [',"requestState":"\\u0061"', { requestState: 'a', responses: {} }],
    [
      ',"inputResponses":{ "a" : {"x": 1.0} , "é":{},"a":{"y":2}}',
      { requestState: undefined, responses: { a: '{"y":2}', é: '{}' } },
    ],
    [',"requestState":"s","inputResponses":{}', { requestState: 's', responses: {} }],
  ])('%s', (members, expected) => {
    expect(retry(members)).toEqual(expected);
  });

  test.each([
    [',"requestState":null', '"params.requestState" must be a string'],
    [',"requestState":{}', '"params.requestState" must be a string'],
    [',"inputResponses":null', '"params.inputResponses" must be an object'],
    [',"inputResponses":[{}]', '"params.inputResponses" must be an object'],
    [',"inputResponses":{"a":{},"b":"x"}', 'under "b"'],
    [',"inputResponses":{"a":null}', 'under "a"'],
    [',"requestState":"s","inputResponses":{"a":[]}', 'under "a"'],
  ])('%s is refused', (members, problem) => {
    expect(retry(members)).toEqual({ problem: expect.stringContaining(problem) });
  });

  test.each([
    ['elicitation/create', '{"action":"accept","content":{}}', true],
    ['elicitation/create', '{"action":"\\u0064ecline"}', true],
    ['elicitation/create', '{"action":"cancel"}', true],
    ['elicitation/create', '{"action":"maybe"}', false],
    ['elicitation/create', '{"action":true}', false],
    ['elicitation/create', '{}', false],
    // What there is to sampling and roots is between the client and the server.
    ['sampling/createMessage', '{}', true],
    ['roots/list', '{}', true],
  ])('an answer to %s: %s may be one: %s', (method, json, isAnswer) => {
    const text = Buffer.from(json);
    const problem = responseProblem(asked(method), text, { start: 0, end: text.length });
    expect(problem === undefined).toBe(isAnswer);
  });
});

describe('an error that wants URLs visited', () => {
  const urls = (error: string) => {
    const response = read<ResponseMessage>(`{"jsonrpc":"2.0","id":1,"error":${error}}`);
    return requiredUrls(relayedReply(response) as Reply)?.map(({ method, params, frame }) => {
      expect(method).toBe('elicitation/create');
      return frame.text.toString('utf8', params!.start, params!.end);
    });
  };
  const error = (data: string) => `{"code":-32042,"message":"m","data":${data}}`;

  test('gives its questions as they are', () => {
    expect(urls(error('{ "elicitations" : [ {"mode":"url", "url":"é"} , {"mode":"url","n":1.0}] }'))).toEqual([
      '{"mode":"url", "url":"é"}',
      '{"mode":"url","n":1.0}',
    ]);
  });

  test('is found when it was made here, too', () => {
    const made = errorReply({ code: -32042, message: 'm', data: { elicitations: [{ url: 'é' }] } });
    expect(requiredUrls(made)).toHaveLength(1);
  });

  test.each([
    ['another code', '{"code":-32041,"message":"m","data":{"elicitations":[{"mode":"url"}]}}'],
    ['no data', '{"code":-32042,"message":"m"}'],
    ['data that are null', error('null')],
    ['data that are a list', error('[{"mode":"url"}]')],
    ['no questions', error('{}')],
    ['an empty list', error('{"elicitations":[]}')],
    ['questions that are no list', error('{"elicitations":{"0":{"mode":"url"}}}')],
    ['a question that is no object', error('{"elicitations":[{"mode":"url"},"x"]}')],
    ['a question that is empty', error('{"elicitations":[{}]}')],
    ['a question that is null', error('{"elicitations":[null]}')],
  ])('%s: it is an error like any other', (_what, json) => {
    expect(urls(json)).toBeUndefined();
  });

  test('is no result, whatever that says', () => {
    expect(requiredUrls(resultReply({ code: -32042, data: { elicitations: [{ mode: 'url' }] } }))).toBeUndefined();
  });
});
