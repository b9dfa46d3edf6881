import { Budget } from '../core/budget.ts';
import type { Descriptor } from '../core/provider.ts';
import { ArgumentsValidator, type Problem } from '../schema/arguments-validator.ts';
import { toByteString } from '../wire/bytes.ts';
import { elementsOf, lastMember, membersOf, rawText, stringAt, typeOfByte, valueAt } from '../wire/lens.ts';
import { type ReplySource, withMemberAdded } from '../wire/reply.ts';
import type { Policy } from './policy.ts';
import { schemaOf } from './tool-schemas.ts';

/** So many results a second and upstream are held against their schema, after they have left. */
const NOTE_LIMITS = { burst: 10, perSecond: 10 };
/** Larger results pass unread: joining their bytes would cost more than the check is worth. */
const MAX_BYTES = 1024 * 1024;

/**
 * Official clients refuse a result without `structuredContent`, or with one that does not fit, from a tool that
 * declares an output schema (2025-11-25, "Output Schema"). What is only missing is filled in from the text; a tool
 * that keeps breaking its promise is offered without it, see `Provider.onOutputMisfit`.
 */
export function checkResults(): NonNullable<Policy['inspect']> {
  const validator = new ArgumentsValidator();
  const budgets = new Map<string, Budget>();
  const problemsOf = (descriptor: Descriptor, value: unknown): readonly Problem[] =>
    validator.check(schemaOf(descriptor, 'outputSchema')!, value).problems;
  return (routed) => {
    const { provider, descriptor } = routed;
    if (provider.validation === 'off' || descriptor?.kind !== 'tool') return undefined;
    if (schemaOf(descriptor, 'outputSchema') === undefined) return undefined;
    const report = (problem: string) => provider.onOutputMisfit?.(routed.call.ownName, problem);
    const note = (source: ReplySource, span: { start: number; end: number }) => {
      const budget = budgets.get(provider.id) ?? new Budget(NOTE_LIMITS);
      budgets.set(provider.id, budget);
      if (!budget.take()) return;
      setImmediate(() => {
        const problems = problemsOf(descriptor, valueAt(source.frame.text, span));
        if (problems.length > 0) report(withoutValues(problems));
      });
    };
    return (reply) => {
      const { source } = reply;
      if (source === undefined || source.result.end - source.result.start > MAX_BYTES) return reply;
      const members = membersOf(source.frame.text, source.result);
      const structured = lastMember(members, 'structuredContent');
      if (structured !== undefined) {
        note(source, structured);
        return reply;
      }
      const isError = lastMember(members, 'isError');
      if (isError !== undefined && rawText(source.frame.text, isError) === 'true') return reply;
      const text = objectInText(source);
      if (text !== undefined && problemsOf(descriptor, JSON.parse(text)).length === 0) {
        return withMemberAdded(reply, `"structuredContent":${toByteString(oneLine(text))}`);
      }
      report('a result had no structuredContent, and its text is not what the output schema asks for');
      return reply;
    };
  };
}

/** The text of the first block of content, where it is a JSON object. */
function objectInText({ frame, result }: ReplySource): string | undefined {
  const { text } = frame;
  const content = lastMember(membersOf(text, result), 'content');
  if (content === undefined || typeOfByte(text[content.start]) !== 'array') return undefined;
  const block = elementsOf(text, content)[0];
  if (block === undefined || typeOfByte(text[block.start]) !== 'object') return undefined;
  const said = stringAt(text, lastMember(membersOf(text, block), 'text'))?.trim();
  if (said?.startsWith('{') !== true || !said.isWellFormed()) return undefined;
  try {
    JSON.parse(said);
    return said;
  } catch {
    return undefined;
  }
}

/** Line breaks in JSON are white space, but a message must be one line. */
function oneLine(json: string): string {
  return json.replace(/[\r\n]/g, ' ');
}

/** For the log and status: what was sent is nobody's affair but the caller's. */
export function withoutValues(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message.replace(/, but received .*$/s, '')).join('; ');
}
