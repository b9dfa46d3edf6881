import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import { orAfter } from '../../../core/timing/or-after.ts';
import type { ManagedProcess } from '../../../process/managed/managed-process.ts';
import { InputNotTaken } from '../../../process/managed/process-input.ts';
import { wordsFor } from '../../../process/managed/process-words.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { processFailed } from '../launch.ts';
import { outcome, processId, RUNS, type Toolbox } from './toolbox.ts';

export function inputTool({ supervisor, options }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'process_input',
    title: 'Process: input',
    description:
      'Writes text to the standard input of a process. No line break is added: end it with \\n where the program reads lines. Answers when the process, or the pipe to it, has taken all.',
    input: z
      .object({
        id: processId,
        input: z.string().describe('The text; may be empty only with close'),
        close: z.boolean().optional().describe('Close its input after this text; false by default'),
      })
      .refine(({ input, close }) => input !== '' || close === true, {
        path: ['input'],
        message: 'must not be empty, unless close is true',
      }),
    output: outcome,
    annotations: RUNS,
    audit: 'security',
    run: async ({ id, input, close = false }, { client, signal }) => {
      const process = supervisor.get(id, client.id);
      requireOpen(process);
      if (input !== '') await write(process, input, orAfter(signal, options.inputMs));
      signal.throwIfAborted();
      if (close) process.input.end();
      const closed = close ? `${input === '' ? '' : ', and '}its input is closed` : '';
      return {
        id,
        success: true,
        message: `${input === '' ? '' : `${input.length} characters were written`}${closed}`,
      };
    },
  });

  async function write(process: ManagedProcess, input: string, signal: AbortSignal): Promise<void> {
    try {
      await process.input.write(input, signal);
    } catch (error) {
      if (!(error instanceof InputNotTaken)) throw error;
      const { id } = process.facts;
      if (error.why === 'closed') throw processFailed(`${id} reads no more input: it closed it or has ended`, error);
      const rest = `${input.length - error.given} of ${input.length} characters were not written`;
      throw new GatewayError(
        'PROCESS_FAILED',
        `${id} has not read its input for ${options.inputMs} ms: ${rest}. What was written before waits in its pipe`,
        { cause: error },
      );
    }
  }
}

function requireOpen({ facts: { id }, state, input }: ManagedProcess): void {
  if (state.name !== 'running') throw processFailed(`${id} takes no input: it ${wordsFor(state)}`);
  if (input.isEnded) throw processFailed(`${id} takes no input: its input is closed`);
}
