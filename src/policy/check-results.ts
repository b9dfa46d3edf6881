import type { Descriptor } from '../core/provider.ts';
import { ArgumentsValidator, type Problem } from '../schema/arguments-validator.ts';
import { type ByteString, toByteString } from '../wire/bytes.ts';
import { elementsOf, lastMember, membersOf, rawText, readableAt, stringAt, typeOfByte } from '../wire/lens.ts';
import { memberAdded } from '../wire/object-edits.ts';
import { type Reply, type ReplySource, withEdits } from '../wire/reply.ts';
import type { Member } from '../wire/scanner.ts';
import { noteBudgets, withoutValues } from './notes.ts';
import type { Policy } from './policy.ts';
import { schemaOf } from './tool-schemas.ts';

/** Larger results pass unread: joining their bytes would cost more than the check is worth. */
const MAX_BYTES = 1024 * 1024;

/**
 * Official clients refuse a result without `structuredContent`, or with one that does not fit, from a tool that
 * declares an output schema (2025-11-25, "Output Schema"). What is only missing is filled in from the text; a tool
 * that keeps breaking its promise is offered without it, see `Provider.onOutputMisfit`.
 */
export function checkResults(): Policy {
  const validator = new ArgumentsValidator();
  const mayNote = noteBudgets();
  return {
    name: 'check-results',
    inspect({ provider, descriptor, call }) {
      if (provider.validation === 'off' || descriptor?.kind !== 'tool') return undefined;
      if (schemaOf(descriptor, 'outputSchema') === undefined) return undefined;
      const check = new ResultCheck(validator, descriptor);
      const report = (problem: string) => provider.onOutputMisfit?.(call.ownName, problem);
      return (reply) => check.check(reply, () => mayNote(provider.id), report);
    },
  };
}

/** The results of one call's tool against its output schema. */
class ResultCheck {
  readonly #validator: ArgumentsValidator;
  readonly #descriptor: Descriptor;

  constructor(validator: ArgumentsValidator, descriptor: Descriptor) {
    this.#validator = validator;
    this.#descriptor = descriptor;
  }

  /** The result as the client gets it. `report` hears of what does not fit, perhaps after the result has left. */
  check(reply: Reply, mayNote: () => boolean, report: (problem: string) => void): Reply {
    const { source } = reply;
    if (source === undefined || reply.outcome === 'error' || source.body.end - source.body.start > MAX_BYTES)
      return reply;
    const { text } = source.frame;
    const members = membersOf(text, source.body);
    if (!isComplete(text, members)) return reply;
    const structured = lastMember(members, 'structuredContent');
    if (structured === undefined) return this.#complete(reply, source, members, report);
    if (mayNote()) {
      setImmediate(() => {
        const value = readableAt(text, structured);
        const problems = value === undefined ? [] : this.#problemsOf(value);
        if (value === undefined) report('a result was not valid JSON');
        else if (problems.length > 0) report(withoutValues(problems));
      });
    }
    return reply;
  }

  #complete(reply: Reply, source: ReplySource, members: readonly Member[], report: (problem: string) => void): Reply {
    const { text } = source.frame;
    const isError = lastMember(members, 'isError');
    if (isError !== undefined && rawText(text, isError) === 'true') return reply;
    const found = objectInText(text, members);
    if (found !== undefined && this.#problemsOf(found.value).length === 0) {
      return withEdits(reply, source, [memberAdded(source.body, members, `"structuredContent":${found.json}`)]);
    }
    report('a result had no structuredContent, and its text is not what the output schema asks for');
    return reply;
  }

  #problemsOf(value: unknown): readonly Problem[] {
    return this.#validator.check(schemaOf(this.#descriptor, 'outputSchema')!, value).problems;
  }
}

/** Modern servers may answer with a question, or with a task, instead of the result that the schema is about. */
function isComplete(text: Buffer, result: readonly Member[]): boolean {
  const type = lastMember(result, 'resultType');
  return type === undefined || stringAt(text, type) === 'complete';
}

/** What the text of the first block of content says, where it is a JSON object. */
function objectInText(text: Buffer, result: readonly Member[]): { value: unknown; json: ByteString } | undefined {
  const content = lastMember(result, 'content');
  if (content === undefined || typeOfByte(text[content.start]) !== 'array') return undefined;
  const block = elementsOf(text, content, 1)[0];
  if (block === undefined || typeOfByte(text[block.start]) !== 'object') return undefined;
  const said = stringAt(text, lastMember(membersOf(text, block), 'text'))?.trim();
  if (said?.startsWith('{') !== true || !said.isWellFormed()) return undefined;
  try {
    return { value: JSON.parse(said) as unknown, json: toByteString(oneLine(said)) };
  } catch {
    return undefined;
  }
}

/** Line breaks in JSON are white space, but a message must be one line. */
function oneLine(json: string): string {
  return json.replace(/[\r\n]/g, ' ');
}
