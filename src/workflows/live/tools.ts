import { z } from 'zod';
import { readHostPort, shownHostPort } from '../../core/addresses/host-port.ts';
import { defineTool, type ToolDefinition } from '../define.ts';
import { HUB_PATH } from './connection-guard.ts';
import type { LiveOutput } from './live-output.ts';

export function startTool(output: LiveOutput): ToolDefinition {
  return defineTool({
    name: 'ws_start',
    title: 'Live output: start',
    description:
      'Opens a WebSocket on which programs follow the output of processes while it is written. They connect to the URL in the message and send {"type":"subscribe","data":"process:proc-1"}. Where it is open already, it stays at the address that it has.',
    input: z.object({
      addr: z
        .string()
        .optional()
        .describe('Address to listen on, as host:port; without a host it is 127.0.0.1, and port 0 is any that is free'),
    }),
    output: z.object({
      success: z.boolean().describe('True if it is open'),
      addr: z.string().describe('The address that it listens on'),
      message: z.string().optional().describe('Outcome, with the URL of the WebSocket'),
    }),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'security',
    async run({ addr }) {
      // An empty text is no address: the real server takes its default then, too.
      const asked = addr === undefined || addr.trim() === '' ? undefined : addr;
      const { server, isOld } = await output.start(asked);
      const bound = shownHostPort(server.address);
      const other = isOld && asked !== undefined && !isAt(asked, bound);
      const notes = [
        other ? `it does not listen at ${asked}: it has one address at a time` : '',
        !isOld && asked?.trim().startsWith(':') ? 'only programs of this machine reach it' : '',
        output.needsToken
          ? `clients must show the token of the config, as Authorization: Bearer TOKEN or ${HUB_PATH}?token=TOKEN`
          : '',
      ].filter((note) => note !== '');
      const what = `${isOld ? 'Open already' : 'Open'} at ${server.url}`;
      return { success: true, addr: bound, message: notes.length === 0 ? what : `${what} (${notes.join('; ')})` };
    },
  });
}

export function infoTool(output: LiveOutput): ToolDefinition {
  return defineTool({
    name: 'ws_info',
    title: 'Live output: who follows it',
    description: 'Tells how many clients the WebSocket has now, and how many channels they have subscribed to.',
    input: z.object({}),
    output: z.object({
      clients: z.int().describe('Connected WebSocket clients'),
      channels: z.int().describe('Channels that at least one of them has subscribed to'),
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    audit: 'info',
    run: () => output.figures(),
  });
}

/** Port 0 matches any port. */
function isAt(asked: string, bound: string): boolean {
  const address = readHostPort(asked);
  return address !== undefined && (address.port === 0 || shownHostPort(address) === bound);
}
