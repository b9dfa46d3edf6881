import { z } from 'zod';
import { browserFailed } from '../../../browser/failure.ts';
import { orAfter } from '../../../core/timing/or-after.ts';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { ACTS, type Toolbox } from './toolbox.ts';

const MAX_SECONDS = 600;
/** A browser starts slowly on a machine that is busy, and however short the client's actions are to be. */
const LAUNCH_MS = 60_000;
const outcome = z.object({ success: z.boolean(), message: z.string().optional() });

export function connectTool({ visits, options }: Toolbox): ToolDefinition {
  const begin = options.launch
    ? 'Starts a browser for you, or connects to one that runs with --remote-debugging-port if you name its debug_url.'
    : 'Connects to a Chrome that runs with --remote-debugging-port, or starts one (launch: true).';
  return defineTool({
    name: 'webview_connect',
    title: 'Browser: connect',
    description: `${begin} Needed before the other webview tools. It ends a connection that you had before.`,
    input: z.strictObject({
      debug_url: z.string().max(300).optional().describe('Address of a running Chrome, such as http://localhost:9222'),
      timeout: z
        .number()
        .positive()
        .max(MAX_SECONDS)
        .optional()
        .describe(`Time that each of your actions may take, in seconds; default ${options.timeoutSeconds}`),
      launch: z.boolean().optional().describe('Starts a browser with an empty, temporary profile instead'),
      isolated: z
        .boolean()
        .optional()
        .describe('Uses a running Chrome without its cookies and logins: a context of your own, like a private window'),
      headless: z
        .boolean()
        .optional()
        .describe(`For a browser that is started: no window; default ${options.headless}`),
    }),
    output: outcome,
    annotations: ACTS,
    audit: 'security',
    run: async (
      { debug_url: debugUrl, timeout = options.timeoutSeconds, launch, isolated = false, headless },
      context,
    ) => {
      const isLaunched = launch ?? (debugUrl === undefined && options.launch);
      if (isLaunched && debugUrl !== undefined) throw browserFailed('Give debug_url or launch, not both');
      if (!isLaunched && (debugUrl === undefined || debugUrl === ''))
        throw browserFailed('debug_url is required, unless you start a browser with launch: true');
      await visits.connect(context.client.id, {
        debugUrl: isLaunched ? undefined : debugUrl,
        isolated,
        headless: headless ?? options.headless,
        timeoutMs: timeout * 1_000,
        signal: orAfter(context.signal, isLaunched ? LAUNCH_MS : timeout * 1_000),
      });
      const where = isLaunched ? 'in a browser that was started for you' : `at ${debugUrl}`;
      return { success: true, message: `Connected to Chrome DevTools ${where}` };
    },
  });
}

export function disconnectTool({ visits, screenshots }: Toolbox): ToolDefinition {
  return defineTool({
    name: 'webview_disconnect',
    title: 'Browser: disconnect',
    description:
      'Ends your connection. A browser that was started for you is closed with all its pages; a browser that ran before stays open.',
    input: z.strictObject({}),
    output: outcome,
    annotations: { ...ACTS, idempotentHint: true },
    audit: 'security',
    run: async (_args, { client }) => {
      screenshots.forget(client.id);
      const wasConnected = await visits.disconnect(client.id);
      return { success: true, message: wasConnected ? 'Disconnected from Chrome DevTools' : 'No active connection' };
    },
  });
}
