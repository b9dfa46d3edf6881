import { MAX_LINE_BYTES, type MetricEvent, readMetricLine } from './metric-event.ts';
import { readLines } from './read-lines.ts';

export interface EventLine {
  readonly number: number;
  /** `undefined` for a malformed line. */
  readonly event: MetricEvent | undefined;
}

/** Returns the events in a file of go-ai's; empty lines are passed over. @throws the system's error */
export async function* readEvents(file: string): AsyncGenerator<EventLine> {
  for await (const { number, text } of readLines(file, MAX_LINE_BYTES)) {
    if (text?.trim() === '') continue;
    yield { number, event: text === undefined ? undefined : readMetricLine(text) };
  }
}
