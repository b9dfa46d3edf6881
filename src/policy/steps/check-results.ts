import type { Descriptor } from '../../core/providers/provider.ts';
import { ArgumentsValidator, type Problem } from '../../schema/arguments-validator.ts';
import { type ByteString, toByteString } from '../../wire/bytes.ts';
import { edit } from '../../wire/edits/call-text.ts';
import { memberAdded } from '../../wire/edits/object-edits.ts';
import type { Edit } from '../../wire/frame.ts';
import { elementsOf, lastMember, membersOf, rawText, readableAt, stringAt, typeOfByte } from '../../wire/lens.ts';
import { type Reply, type ReplySource, withEdits } from '../../wire/reply.ts';
import type { Member, Span } from '../../wire/scanning/outline.ts';
import type { CreatePolicy } from '../policy.ts';
import { noteBudgets, withoutValues } from './notes.ts';
import { schemaOf } from './tool-schemas.ts';

/** The largest result that is checked, in bytes: joining the bytes of larger ones would cost more than the check is worth. */
const MAX_BYTES = 1024 * 1024;

/**
 * Official clients refuse a result without `structuredContent`, or with one that does not fit, from a tool that
 * declares an output schema (2025-11-25, "Output Schema"). What is only missing is filled in from the text. If that
 * is not possible the result is flagged as an error with a note, which such clients accept, and the tool is offered
 * without its output schema from then on, see `Provider.onOutputMisfit`.
 */
export const checkResults: CreatePolicy = () => {
  const validator = new ArgumentsValidator();
  const mayNote = noteBudgets();
  return {
    inspect({ provider, descriptor, call }) {
      if (provider.validation === 'off' || descriptor?.kind !== 'tool') return undefined;
      if (schemaOf(descriptor, 'outputSchema') === undefined) return undefined;
      const check = new ResultCheck(validator, descriptor);
      const report = (problem: string) => provider.onOutputMisfit?.(call.ownName, problem);
      return (reply) => check.check(reply, () => mayNote(provider.id), report);
    },
  };
};

/** The results of one call's tool against its output schema. */
class ResultCheck {
  readonly #validator: ArgumentsValidator;
  readonly #descriptor: Descriptor;

  constructor(validator: ArgumentsValidator, descriptor: Descriptor) {
    this.#validator = validator;
    this.#descriptor = descriptor;
  }

  /** Returns the result as the client gets it. `report` hears of what does not fit, perhaps after the result has left. */
  check(reply: Reply, mayNote: () => boolean, report: (problem: string) => void): Reply {
    const { source } = reply;
    if (source === undefined || reply.outcome === 'error' || source.body.end - source.body.start > MAX_BYTES)
      return reply;
    const { text } = source.frame;
    const members = source.frame.membersOf(source.body);
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
    return withEdits(reply, source, flagged(source, members));
  }

  #problemsOf(value: unknown): readonly Problem[] {
    return this.#validator.check(schemaOf(this.#descriptor, 'outputSchema')!, value).problems;
  }
}

const FLAG =
  '{"type":"text","text":"Note by the gateway: this tool declares an output schema and sent no structuredContent. ' +
  'The content above is all that it sent; the tool itself reported no error."}';

/** Returns the edits that make a result one that clients accept without `structuredContent`. */
function flagged({ frame: { text }, body }: ReplySource, members: readonly Member[]): Edit[] {
  const added: string[] = [];
  const edits: Edit[] = [];
  const isError = lastMember(members, 'isError');
  if (isError === undefined) added.push('"isError":true');
  else edits.push(edit(isError, 'true'));
  const content = lastMember(members, 'content');
  if (content === undefined) added.push(`"content":[${FLAG}]`);
  else if (typeOfByte(text[content.start]) === 'array') edits.push(appended(text, content));
  if (added.length > 0) edits.push(memberAdded(body, members, added.join(',')));
  return edits;
}

function appended(text: Buffer, content: Span): Edit {
  const at = content.end - 1;
  return { start: at, end: at, text: elementsOf(text, content, 1).length === 0 ? FLAG : `,${FLAG}` };
}

/** Modern servers may answer with a question, or with a task, instead of the result that the schema is about. */
function isComplete(text: Buffer, result: readonly Member[]): boolean {
  const type = lastMember(result, 'resultType');
  return type === undefined || stringAt(text, type) === 'complete';
}

/** Returns the JSON object that is the text of the first content block; `undefined` if it is none. */
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
