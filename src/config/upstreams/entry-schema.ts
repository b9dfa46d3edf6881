import { z } from 'zod';
import { DEFAULT_TIMEOUTS } from '../../core/settings/upstream-entry.ts';
import {
  globs,
  headerName,
  headerText,
  portList,
  processText,
  scalarText,
  upstreamUrl,
  wholeNumber,
} from '../field-schemas.ts';
import { authSchema } from './auth-schema.ts';
import { TYPE_SPELLINGS } from './entry-types.ts';
import { tlsSchema } from './tls-schema.ts';

export const UPSTREAM_KEY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;

const DAY_MS = 24 * 60 * 60 * 1000;

const milliseconds = (byDefault: number, description: string) =>
  wholeNumber(1, DAY_MS).default(byDefault).describe(`${description}, in milliseconds.`);

const timeoutsSchema = z
  .strictObject({
    connectMs: milliseconds(DEFAULT_TIMEOUTS.connectMs, 'From the start of the process to its answer of `initialize`'),
    listMs: milliseconds(DEFAULT_TIMEOUTS.listMs, 'Silence of a list after which it counts as failed'),
    listPauseMs: milliseconds(
      DEFAULT_TIMEOUTS.listPauseMs,
      'Longest pause before a list that failed is asked for again; pauses grow from a second up to it',
    ),
    callMs: milliseconds(DEFAULT_TIMEOUTS.callMs, 'Silence of a call; progress begins it anew'),
    totalMs: milliseconds(DEFAULT_TIMEOUTS.totalMs, 'The whole of a call, progress or not'),
  })
  .prefault({})
  .describe('How long to wait for this upstream.');

const toolsSchema = z
  .strictObject({
    allow: globs(['*'], 'Globs of tool names, as the upstream calls them, that clients may see.'),
    deny: globs([], 'Globs of tool names that clients never see; they win over `allow`.'),
  })
  .prefault({})
  .describe('Which tools of this upstream clients get.');

const environmentName = z.string().regex(/^[^=\0]+$/, { error: 'not a name that an environment variable can have' });

const entryShape = {
  command: processText.min(1).optional().describe(`Program that speaks MCP on stdin and stdout. \${VAR} is replaced.`),
  args: z.array(scalarText).default([]).describe(`Arguments of the program. \${VAR} is replaced.`),
  env: z
    .record(environmentName, scalarText)
    .default({})
    .describe(`Environment variables on top of the allow-list. \${VAR} is replaced in values.`),
  cwd: processText
    .min(1)
    .optional()
    .describe(
      `Folder in which the program runs, seen from the folder of this file, which is the default. \${VAR} is replaced.`,
    ),
  inheritEnv: z
    .boolean()
    .default(false)
    .describe("Hand over the gateway's whole environment instead of the allow-list."),
  url: upstreamUrl
    .optional()
    .describe(`Address of a server that is there already, instead of a command. \${VAR} is replaced.`),
  headers: z
    .record(headerName, headerText)
    .default({})
    .describe(
      `Headers of each request to the url, where it is one of HTTP or WebSocket. \${VAR} is replaced in values.`,
    ),
  tls: tlsSchema,
  auth: authSchema
    .optional()
    .describe('How to come by an access token for the url. Without it: OAuth, when the server asks for it.'),
  ports: portList
    .optional()
    .describe(
      'Ports of this machine on which the plug-in of an IDE is looked for, such as "9960-9990", instead of a url.',
    ),
  workspace: processText
    .min(1)
    .optional()
    .describe(
      `Folder whose window is meant where \`ports\` lead to several; without it, that of each client's own. \${VAR} is replaced.`,
    ),
  prefix: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,40}$/, { error: 'must have at most 40 letters, digits, _ and -' })
    .optional()
    .describe('Put in front of tool and prompt names, with "_". The default is the key; "" leaves names as they are.'),
  disabled: z.boolean().default(false).describe('Keep the entry in the file, but do not run it.'),
  share: z
    .enum(['auto', 'gateway', 'session', 'folder'])
    .default('auto')
    .describe(
      'Who shares a process, or a session over HTTP: all clients; each has its own; those that work in one folder; or, with `auto`, all until it asks one of them by elicitation or sampling, from then on each new client has its own.',
    ),
  restart: z
    .enum(['always', 'on-demand', 'never'])
    .default('always')
    .describe('When to start the process again after it has ended.'),
  era: z
    .enum(['auto', 'legacy', '2026-07-28'])
    .default('auto')
    .describe('Which protocol the server speaks: asked, or known to open with `initialize`, or this revision.'),
  timeouts: timeoutsSchema,
  maxConcurrency: wholeNumber(1, 10_000).default(64).describe('Calls under way at one time; more wait in order.'),
  tools: toolsSchema,
  validation: z
    .enum(['off', 'warn', 'enforce'])
    .default('warn')
    .describe("What to do when a call's arguments do not fit the tool's schema."),
  pins: z
    .enum(['off', 'warn', 'enforce'])
    .default('warn')
    .describe('What to do with tools that changed, or are new, since they were approved.'),
  inferHints: z
    .boolean()
    .default(false)
    .describe('Fill in missing readOnlyHint and destructiveHint annotations from the name of the tool.'),
  instructions: z.boolean().default(false).describe("Pass the upstream's instructions on to clients."),
  type: z
    .enum(TYPE_SPELLINGS)
    .optional()
    .describe(
      'How the server is reached. Need not be written: a command is stdio, an http url is http, or sse where the server says so; other urls are what they begin with, ports are ide-rest.',
    ),
};

/** One entry under `upstreams`, its key aside. That it has a command or a url, and what goes with it, is for `checkKinds`. */
export const entrySchema = z
  .strictObject(entryShape)
  .meta({ oneOf: [{ required: ['command'] }, { required: ['url'] }, { required: ['ports'] }] });

export type EntryFile = z.output<typeof entrySchema>;
