import type { ToolLine } from '../../app/gateway-status.ts';
import { type Progress, RequestError } from '../../app/local-client.ts';
import { readCallArguments } from '../call-arguments.ts';
import { EXIT } from '../exit-codes.ts';
import { failureLine } from '../failure-line.ts';
import { printable, printError, printExact, printJson, writeError } from '../print.ts';
import { withGateway } from '../with-gateway.ts';

export interface CallOptions {
  readonly config?: string;
  readonly profile?: string;
  readonly args?: string;
  readonly json?: boolean;
}

interface CallResult {
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** Calls one tool as an agent would and prints its result: its very text, unless that goes to a terminal. */
export function call(tool: string, words: readonly string[], options: CallOptions): Promise<void> {
  return withGateway({ ...options, name: 'viaduct call' }, async ({ client }) => {
    client.begin();
    const { tools } = (await client.request('viaduct/tools')) as { tools: ToolLine[] };
    const known = tools.find(({ name }) => name === tool);
    const args = readCallArguments(options.args, words, known?.inputSchema);
    try {
      const result = (await client.request('tools/call', { name: tool, arguments: args }, showProgress)) as CallResult;
      endProgress();
      if (options.json === true) printJson(result);
      else show(tool, result);
      return result.isError === true ? EXIT.failed : EXIT.ok;
    } catch (error) {
      endProgress();
      if (!(error instanceof RequestError)) throw error;
      printError(`${error.message} (${error.code})`);
      return EXIT.failed;
    }
  });
}

function show(tool: string, { content = [], structuredContent, isError }: CallResult): void {
  for (const block of content) printExact(block.type === 'text' ? String(block.text) : JSON.stringify(block));
  if (content.length === 0 && structuredContent !== undefined) printJson(structuredContent);
  if (isError === true) printError(failureLine(tool, content));
}

let onProgressLine = false;

/** One line that is written over on a terminal, one line a report elsewhere. */
function showProgress({ progress, total, message }: Progress): void {
  const done = total === undefined ? String(progress) : `${progress}/${total}`;
  const line = `… ${done}${message === undefined ? '' : ` ${printable(String(message))}`}`;
  onProgressLine = process.stderr.isTTY;
  writeError(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}

function endProgress(): void {
  if (onProgressLine) writeError('\r\u001b[K');
  onProgressLine = false;
}
