import type { Generation } from '../core/settings/model-backends.ts';
import { joinedText } from '../services/ask-service.ts';
import type { ServiceStream } from '../services/open-stream.ts';
import { parsed } from '../services/service-words.ts';
import type { ChatDialect, ChatPiece } from './dialects/dialect.ts';
import type { BackendFailures } from './failures.ts';
import type { Patience } from './patience.ts';
import { eventsOf, linesOf } from './pieces.ts';

/** The mark of OpenAI that a stream is over. */
const DONE = '[DONE]';

export interface ReadOptions {
  readonly dialect: ChatDialect;
  readonly failures: BackendFailures;
  readonly patience: Patience;
  readonly onText: ((piece: string) => void) | undefined;
}

type Answer = Pick<Generation, 'text' | 'model' | 'end'>;

/**
 * Reads an answer as it arrives.
 * @throws GatewayError `MODEL_FAILED` where it breaks off, or has something in it that is no piece of an answer
 */
export async function readAnswer(stream: ServiceStream, options: ReadOptions): Promise<Answer> {
  const { dialect, failures } = options;
  const type = stream.headers.get('content-type') ?? '';
  if (/^text\/(?:html|plain)\b/i.test(type)) throw failures.noStream(type);
  const answer = new ComingAnswer(options);
  const isWhole = dialect.framing === 'events' && /^application\/json\b/i.test(type);
  try {
    if (isWhole) answer.take(dialect.readWhole(answer.json(await joinedText(stream.pieces))));
    else await answer.readAll(stream.pieces);
  } catch (error) {
    throw failures.brokenOff(error, answer.length);
  }
  return answer.result();
}

/** An answer as far as it has come. */
class ComingAnswer {
  readonly #options: ReadOptions;
  readonly #texts: string[] = [];
  #model: string | undefined;
  #end: Generation['end'] | undefined;
  #isLast = false;
  /** In characters. */
  length = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  async readAll(bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const { dialect } = this.#options;
    const pieces = dialect.framing === 'lines' ? linesOf(this.#watched(bytes)) : eventsOf(this.#watched(bytes));
    for await (const piece of pieces) {
      this.take(piece.trim() === DONE ? { isLast: true } : dialect.read(this.json(piece)));
      if (this.#isLast) return;
    }
  }

  /** @throws GatewayError if a text is no JSON */
  json(text: string): unknown {
    const value = parsed(text);
    if (value === undefined) throw this.#options.failures.malformed(text, this.length);
    return value;
  }

  take({ text = '', model, end, isLast, isThought, error }: ChatPiece): void {
    if (error !== undefined) throw this.#options.failures.failedAmid(error, this.length);
    this.#model = model ?? this.#model;
    this.#end = end ?? this.#end;
    this.#isLast ||= isLast === true;
    if (text !== '') this.#add(text);
    else if (isThought === true) this.#options.patience.onBegin();
  }

  /** @throws GatewayError if the stream has ended and the answer has not */
  result(): Answer {
    const end = this.#end ?? (this.#isLast ? 'whole' : undefined);
    if (end === undefined) throw this.#options.failures.cutOff(this.length);
    return { text: this.#texts.join(''), model: this.#model, end };
  }

  #add(text: string): void {
    const { patience, onText } = this.#options;
    this.#texts.push(text);
    this.length += text.length;
    patience.onBegin();
    onText?.(text);
  }

  async *#watched(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      this.#options.patience.onPiece();
      yield piece;
    }
  }
}
