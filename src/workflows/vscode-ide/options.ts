import path from 'node:path';
import { z } from 'zod';
import { readPorts } from '../../core/addresses/port-list.ts';
import { bridgeOptions } from '../bridge-options.ts';

/** The prefix of VS Code's tools. */
export const PREFIX = 'vscode';

/** The ports that the plug-in uses unless its settings say otherwise. */
const PORTS = '9960-9990';

const isPortList = (list: string | number | number[]): boolean => readPorts(list) !== undefined;

/** Options of the workflow in the config, `workflows.vscode-ide`. */
export const vscodeOptions = z
  .strictObject({
    ports: z
      .union([z.string(), z.int(), z.array(z.int())])
      .refine(isPortList, { error: 'must be ports from 1 to 65535, at most 200 of them' })
      .default(PORTS)
      .describe('Ports of this machine on which to look for the plug-in'),
    workspace: z
      .string()
      .refine((folder) => path.isAbsolute(folder), { error: 'must be an absolute folder' })
      .optional()
      .describe("Folder that selects the window if there are several; by default, each client's own folder"),
    url: z
      .url({ protocol: /^https?$/, error: 'must be a url that begins with http:// or https://' })
      .optional()
      .describe('Address of the plug-in of one window, instead of looking for it'),
    ...bridgeOptions({
      inferHints: 'Fill in readOnlyHint and destructiveHint, which the plug-in does not give, judged by the tool names',
      validation: "What happens to arguments that do not fit a tool's schema; the plug-in itself does not look",
      callMs: 120_000,
      patience: 'a language server that starts takes its time',
    }),
  })
  .refine(({ url, workspace }) => url === undefined || workspace === undefined, {
    error: 'a url is that of one window: workspace goes only with ports',
    path: ['workspace'],
  })
  .prefault({});

export type VscodeOptions = z.output<typeof vscodeOptions>;
