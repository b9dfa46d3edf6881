import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { outcomeOf } from '../../../src/audit/outcome.ts';
import { GatewayError } from '../../../src/core/errors.ts';
import { errorReply, resultReply } from '../../../src/wire/reply.ts';
import { answer, endedCall, WORKFLOW } from './ended-call.ts';

const FAILED = '{"content":[{"type":"text","text":"it broke"}],"isError":true}';

describe('the outcome', () => {
  test.each([
    ['a result', answer('result', '{"content":[]}'), { outcome: 'ok' }],
    ['a result that fails', answer('result', FAILED), { outcome: 'tool-error' }],
    ['isError: false', answer('result', '{"isError":false}'), { outcome: 'ok' }],
    ['the word in a text', answer('result', '{"content":[{"text":"\\"isError\\":true"}]}'), { outcome: 'ok' }],
    ['the word deeper down', answer('result', '{"structuredContent":{"isError":true}}'), { outcome: 'ok' }],
    ['an error', answer('error', '{"code":-32602,"message":"no"}'), { outcome: 'error', code: -32602 }],
    ['an error that was rebuilt', answer('error', '"no"'), { outcome: 'error', code: -32603 }],
    ['an error that was made here', errorReply({ code: -32042, message: '' }), { outcome: 'error', code: -32042 }],
    ['nobody wants it', 'cancelled', { outcome: 'cancelled' }],
  ] as const)('%s', (_name, ending, outcome) => {
    expect(outcomeOf(endedCall({ ending }))).toEqual(outcome);
  });

  test.each([
    ['UNKNOWN_TOOL', 'refused'],
    ['UNKNOWN_PROMPT', 'refused'],
    ['UNKNOWN_RESOURCE', 'refused'],
    ['TOOL_PINNED', 'refused'],
    ['INVALID_ARGUMENTS', 'refused'],
    ['OUTSIDE_WORKSPACE', 'refused'],
    ['PATH_PROTECTED', 'refused'],
    ['COMMAND_DENIED', 'refused'],
    ['UPSTREAM_EXITED', 'error'],
    ['OVERLOADED', 'error'],
    ['INTERNAL', 'error'],
  ] as const)('%s', (code, outcome) => {
    expect(outcomeOf(endedCall({ ending: new GatewayError(code, 'x') }))).toEqual({ outcome, code });
  });

  test('what a workflow answers went well: what does not is thrown', () => {
    const ending = resultReply({ content: [], isError: true });
    expect(outcomeOf(endedCall({ provider: WORKFLOW, ending }))).toEqual({ outcome: 'ok' });
  });

  test('the word is found wherever a large answer was cut', () => {
    const length = answer('result', FAILED).source!.frame.outline.end;
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: 40 });
    fc.assert(
      fc.property(cuts, (places) => {
        const ending = answer(
          'result',
          FAILED,
          [...places].sort((a, b) => a - b),
        );
        expect(outcomeOf(endedCall({ ending }))).toEqual({ outcome: 'tool-error' });
      }),
    );
  });

  test('an answer that says nothing of an error is not joined', () => {
    const ending = answer('result', '{"content":[{"type":"text","text":"long"}]}', [30, 60]);
    expect(outcomeOf(endedCall({ ending }))).toEqual({ outcome: 'ok' });
    expect(ending.source!.frame.pieces).toHaveLength(3);
  });
});
