import { z } from 'zod';
import { screenshot } from '../../../browser/actions/screenshot.ts';
import { type ContentBlock, defineTool, type ToolDefinition } from '../../define.ts';
import { onPage, READS, type Toolbox, target } from './toolbox.ts';

const output = z.object({
  success: z.boolean(),
  data: z.string().optional().describe('Base64; absent if the picture is linked to'),
  format: z.enum(['png', 'jpeg']),
  uri: z.string().optional().describe('Resource with the picture, if it is large'),
  bytes: z.int().optional(),
});

export function screenshotTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'webview_screenshot',
    title: 'Browser: screenshot',
    description:
      'Takes a picture of the visible part of the page. webview_snapshot tells what is on the page in far fewer tokens; use this for how it looks.',
    input: z.strictObject({
      format: z.enum(['png', 'jpeg']).default('png'),
      selector: target.optional().describe('Only this element'),
      full_page: z.boolean().optional().describe('The whole page, not only its visible part'),
    }),
    output,
    annotations: READS,
    audit: 'security',
    content: contentOf,
    run: ({ format, selector, full_page: fullPage }, { client, ...context }) =>
      onPage(toolbox, { client, ...context }, async (page, signal) => {
        const { data } = await screenshot(
          page,
          { format, ...(selector !== undefined && { target: selector }), ...(fullPage === true && { fullPage }) },
          signal,
        );
        const bytes = Buffer.byteLength(data, 'base64');
        if (bytes <= toolbox.options.inlineBytes) return { success: true, data, format };
        const uri = toolbox.screenshots.add(client.id, { mimeType: `image/${format}`, blob: data });
        return { success: true, format, uri, bytes };
      }),
  });
}

/** The picture stands once in the blocks: as JSON text too it would cost a hundred thousand tokens. */
function contentOf({ data, format, uri, bytes = 0 }: z.output<typeof output>): readonly ContentBlock[] {
  const mimeType = `image/${format}`;
  if (data !== undefined) return [{ type: 'image', data, mimeType }];
  return [{ type: 'resource_link', uri: uri!, name: `screenshot.${format}`, mimeType, size: bytes }];
}
