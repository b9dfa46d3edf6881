import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { ACTS, act, events, openAddress, type Toolbox } from './toolbox.ts';

export function navigateTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'webview_navigate',
    title: 'Browser: open a page',
    description:
      'Opens a url. Returns once the server has answered; the page may still be loading then. Use webview_wait, or wait: "load", if you need more of it.',
    input: z.strictObject({
      url: z.string().min(1).max(20_000).describe('Complete address of the page: http://, https:// or about:blank'),
      wait: z
        .enum(['commit', 'load', 'idle'])
        .default('commit')
        .describe(
          'Returns when the server has answered (commit), all files are loaded (load), or no request is left (idle)',
        ),
    }),
    output: z.object({
      success: z.boolean(),
      url: z.string().describe('As you gave it'),
      finalUrl: z.string().optional().describe('The address after redirects, if it is another one'),
      status: z.int().optional().describe('HTTP status of the page, if it is not 200'),
      download: z.boolean().optional().describe('The address is a file to be saved: the page is as it was'),
      events,
    }),
    annotations: ACTS,
    audit: 'security',
    run: ({ url, wait }, context) =>
      act(toolbox, context, async ({ page }, signal) => {
        const { url: finalUrl, status, isDownload } = await openAddress(toolbox, page, url, { wait, signal });
        return {
          success: true,
          url,
          ...(isOther(finalUrl, url) && { finalUrl }),
          ...(status !== undefined && status !== 200 && { status }),
          ...(isDownload === true && { download: true }),
        };
      }),
  });
}

function isOther(finalUrl: string, url: string): boolean {
  return finalUrl !== url && finalUrl !== `${url}/`;
}
