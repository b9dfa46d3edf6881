import path from 'node:path';
import { z } from 'zod';
import { checkGlob } from '../../core/glob/parse-glob.ts';

const MAX_GLOB = 300;
const host = z
  .string()
  .min(1)
  .max(MAX_GLOB, { error: `has at most ${MAX_GLOB} characters` })
  .superRefine(checkGlob);
const absolutePath = z.string().refine((place) => path.isAbsolute(place), { error: 'must be an absolute path' });

/** Options of the workflow in the config, `workflows.webview`. */
export const webviewOptions = z
  .strictObject({
    launch: z
      .boolean()
      .default(false)
      .describe('Starts a browser for a client that calls webview_connect without debug_url'),
    browser: absolutePath
      .optional()
      .describe('Path of Chrome, Chromium or Edge; without it, the usual places are searched'),
    headless: z.boolean().default(true).describe('Start browsers without a window'),
    sandbox: z
      .boolean()
      .default(true)
      .describe(
        'Confine pages by the sandbox of the browser. Set it to false only if the sandbox cannot work, as in some containers, and only for pages that you trust',
      ),
    loopback: z
      .boolean()
      .default(true)
      .describe('Allow pages of this machine (localhost, 127.0.0.1), such as those of a development server'),
    allowHosts: z
      .array(host)
      .default([])
      .describe('Hosts of private networks that may be opened: globs of names or addresses, with or without a port'),
    onlyHosts: z
      .array(host)
      .optional()
      .describe('If given, no other hosts may be opened: globs of names or addresses, with or without a port'),
    debugHosts: z
      .array(host)
      .default([])
      .describe('Other machines on which debug_url of webview_connect may be; without it, only this machine'),
    eval: z.boolean().default(true).describe('Offer webview_eval, which runs JavaScript in pages'),
    downloads: absolutePath
      .optional()
      .describe('Folder in which files are saved that pages offer for download; without it, downloads are refused'),
    timeoutSeconds: z
      .number()
      .min(1)
      .max(600)
      .default(30)
      .describe('Time that an action may take, in seconds; webview_connect can set another one for its client'),
    inlineBytes: z
      .int()
      .min(0)
      .max(16 * 1_048_576)
      .default(262_144)
      .describe(
        'Screenshots up to this size are part of the result; larger ones are a resource that the result links to',
      ),
    maxClients: z.int().min(1).max(100).default(8).describe('Number of clients that may use a browser at one time'),
  })
  .prefault({});

export type WebviewOptions = z.output<typeof webviewOptions>;
