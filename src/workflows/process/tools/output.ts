import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { processId, READS, type Toolbox } from './toolbox.ts';

export function outputTool({ supervisor, options }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'process_output',
    title: 'Process: output',
    description: `Gives what a process has written, standard output and standard error together: the newest ${options.outputBytes} bytes. To follow it, give the nextOffset of the answer before as offset.`,
    input: z.object({
      id: processId,
      offset: z.int().min(0).optional().describe('Offset to begin at, in bytes of the whole output since the start'),
      limit: z.int().min(1).optional().describe('At most so many bytes'),
    }),
    output: z.object({
      id: z.string(),
      output: z.string(),
      offset: z.int().describe('Offset of this output'),
      nextOffset: z.int().describe('Offset of the next output'),
      dropped: z.int().describe('Bytes between the asked offset and this one that are not kept any more'),
      status: z
        .string()
        .describe('running, or how it ended: then nothing is written after nextOffset, unless limit cut it'),
    }),
    annotations: READS,
    audit: 'info',
    run: async ({ id, offset: asked = 0, limit }, { client }) => {
      const process = supervisor.get(id, client.id);
      const { text, offset, nextOffset } = process.output.read({ offset: asked, limit });
      return {
        id,
        output: text,
        offset,
        nextOffset,
        dropped: Math.max(0, offset - asked),
        status: process.state.name,
      };
    },
  });
}
