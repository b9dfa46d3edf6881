import { compactJson, partsOfJson } from '../../core/json/json-text.ts';
import { type Progress, RequestError } from '../../gateway/client/local-client.ts';
import type { ToolLine } from '../../gateway/gateway-status.ts';
import { readCallArguments } from '../terminal/call-arguments.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printable, printError, printExact, printJsonText } from '../terminal/print.ts';
import { endProgressLine, showProgressLine } from '../terminal/progress-line.ts';
import { withGateway } from '../terminal/with-gateway.ts';
import { failureLine } from './failure-line.ts';

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
      const params = `{"name":${JSON.stringify(tool)},"arguments":${args}}`;
      const text = await client.requestText('tools/call', params, showProgress);
      endProgressLine();
      const result = JSON.parse(text) as CallResult;
      if (options.json === true) printJsonText(text);
      else show(tool, result, text);
      return result.isError === true ? EXIT.failed : EXIT.ok;
    } catch (error) {
      endProgressLine();
      if (!(error instanceof RequestError)) throw error;
      printError(`${error.message} (${error.code})`);
      return EXIT.failed;
    }
  });
}

/** Prints a result. Anything but text is printed as it came: its numbers can be larger or more precise than those of JavaScript. */
function show(tool: string, { content = [], structuredContent, isError }: CallResult, text: string): void {
  const blocks = partsOfJson(memberText(text, 'content') ?? '[]');
  for (const [index, block] of content.entries())
    printExact(block.type === 'text' ? String(block.text) : compactJson(blocks[index]!.text));
  if (content.length === 0 && structuredContent !== undefined) printJsonText(memberText(text, 'structuredContent')!);
  if (isError === true) printError(failureLine(tool, content));
}

/** Returns the member that `JSON.parse` would keep: of several with one key, the last. */
function memberText(json: string, key: string): string | undefined {
  return partsOfJson(json).findLast((part) => part.key === key)?.text;
}

function showProgress({ progress, total, message }: Progress): void {
  const done = total === undefined ? String(progress) : `${progress}/${total}`;
  showProgressLine(`… ${done}${message === undefined ? '' : ` ${printable(String(message))}`}`);
}
