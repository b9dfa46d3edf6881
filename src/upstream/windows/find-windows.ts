import { realpath } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { type HttpEndpoint, openEndpoint } from '../transports/http/endpoint.ts';
import { askIdeWithin } from '../transports/ide-rest/ask-ide.ts';
import { factsIn } from '../transports/ide-rest/dialect.ts';
import { findDialect, type IdeDialect } from '../transports/ide-rest/find-dialect.ts';
import type { TransportContext } from '../transports/transport.ts';
import { askForFolder, type FolderEntries, isBrokenOff } from './folder-entries.ts';

/** On this machine a plug-in answers at once, unless its IDE is busy; only one that was there before is given time. */
const STRANGER_MS = 1_500;
const KNOWN_MS = 4_000;
/** The number of ports that are asked at one time. */
const AT_ONCE = 8;

const MAX_ANSWER_BYTES = 1024 * 1024;
/** A longer text is no path of a folder. */
const MAX_FOLDER = 4096;

/** A window of an IDE, as its plug-in shows it. */
export interface IdeWindow {
  readonly port: number;
  readonly dialect: IdeDialect['name'];
  /** The url of its plug-in. */
  readonly url: string;
  /** The real path of the folder that it has open: `''` for none, `undefined` if the plug-in does not say. */
  readonly workspace: string | undefined;
  /** The contents of that folder, if they are all that the plug-in tells. */
  readonly entries?: FolderEntries | undefined;
}

type SearchContext = Pick<TransportContext, 'env' | 'log'>;

/** The finding for one port: a window, nothing that is a plug-in, or something silent that may be one. */
export type PortFinding = IdeWindow | { readonly port: number; readonly problem: 'nothing' | 'silent' };

/** Asks every port whether the plug-in of an IDE is there. Never throws. */
export async function findWindows(
  ports: readonly number[],
  isKnown: (port: number) => boolean,
  context: SearchContext,
): Promise<PortFinding[]> {
  const findings: PortFinding[] = [];
  const left = [...ports];
  const work = async () => {
    for (let port = left.shift(); port !== undefined; port = left.shift()) {
      findings.push(await lookAtPort(port, isKnown(port) ? KNOWN_MS : STRANGER_MS, context));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, ports.length) }, work));
  return findings.sort((a, b) => a.port - b.port);
}

/** Asks one port whether the plug-in of an IDE is there; each question has `ms`. Never throws. */
export async function lookAtPort(port: number, ms: number, context: SearchContext): Promise<PortFinding> {
  // Most ports are closed, and to see that takes a fraction of what a request does.
  if (!(await mayListen(port, ms))) return { port, problem: 'nothing' };
  const endpoint = await openEndpoint({ url: `http://127.0.0.1:${port}`, headers: {} }, context);
  try {
    return await lookAtEndpoint(endpoint, port, ms);
  } finally {
    endpoint.destroy();
  }
}

async function lookAtEndpoint(endpoint: HttpEndpoint, port: number, ms: number): Promise<PortFinding> {
  const found = await findDialect(endpoint, ms);
  if ('problem' in found) return { port, problem: found.problem === 'silent' ? 'silent' : 'nothing' };
  if (found.name === 'rest') return withWorkspace({ port, dialect: found.name, url: found.url }, endpoint, ms);
  const isThere = await greets(found.url, endpoint, ms);
  if (isThere === undefined) return { port, problem: 'silent' };
  if (!isThere) return { port, problem: 'nothing' };
  return withFolder({ port, dialect: found.name, url: found.url }, endpoint, ms);
}

/**
 * Returns false if connecting to the port fails within `ms` milliseconds; true if it succeeds, or if nothing is known
 * by then.
 */
function mayListen(port: number, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, timeout: ms });
    const settle = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once('connect', () => settle(true));
    socket.once('timeout', () => settle(true));
    socket.once('error', () => settle(false));
  });
}

type FoundWindow = Omit<IdeWindow, 'workspace' | 'entries'>;

async function withWorkspace(window: FoundWindow, endpoint: HttpEndpoint, ms: number): Promise<PortFinding> {
  const question = { url: `${window.url}/status`, maxBytes: MAX_ANSWER_BYTES };
  const answer = await askIdeWithin(ms, endpoint, question);
  if (answer === undefined || isBrokenOff(answer)) return { port: window.port, problem: 'silent' };
  const { workspace: said } = answer.kind === 'json' ? factsIn(answer.frame) : {};
  if (said === undefined || said.length > MAX_FOLDER) return withFolder(window, endpoint, ms);
  return { ...window, workspace: said === '' ? said : await realFolder(said) };
}

/** Adds the folder of a window: a plug-in that does not name it is asked for its contents. */
async function withFolder(window: FoundWindow, endpoint: HttpEndpoint, ms: number): Promise<PortFinding> {
  const clue = await askForFolder({ name: window.dialect, url: window.url }, { endpoint, ms });
  if (clue === undefined) return { port: window.port, problem: 'silent' };
  const { folder, entries } = clue;
  const isNamed = folder !== undefined && folder.length <= MAX_FOLDER;
  return { ...window, workspace: isNamed ? await realFolder(folder) : undefined, entries };
}

/** Returns true if the server is a plug-in: many servers refuse a GET with a JSON-RPC error, so it must be greeted. */
async function greets(url: string, endpoint: HttpEndpoint, ms: number): Promise<boolean | undefined> {
  const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'viaduct', version: '0' } };
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  const answer = await askIdeWithin(ms, endpoint, { url, body, maxBytes: MAX_ANSWER_BYTES });
  if (answer === undefined) return undefined;
  return answer.kind === 'json' && factsIn(answer.frame).serverInfo !== undefined;
}

/** Returns a folder as the file system calls it: without links, and in the case in which it is written there. */
export async function realFolder(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch {
    return path.resolve(folder); // of another machine, or gone
  }
}
