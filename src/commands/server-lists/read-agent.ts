import { statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import type { Agent } from '../../agents/agent.ts';
import type { AgentSystem } from '../../agents/agent-server.ts';
import { AgentFileError, isToml } from '../../agents/agent-text.ts';
import { KNOWN_AGENTS } from '../../agents/index.ts';
import { type ServerListAgent, serverListAgents } from '../../agents/server-files.ts';
import { expand } from '../../config/expand.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { ownUserFolders } from '../user-files/user-folders.ts';
import { type FaultyServer, type FoundServer, type ReadServers, readServers } from './agent-lists.ts';
import { readAgentText, readNamedText } from './read-agent-text.ts';

export interface AgentSource {
  /** The agent whose files are read; `undefined` for a file of an unknown agent. */
  readonly agent: ServerListAgent | undefined;
  /** Only this file, instead of all files of the agent. */
  readonly file: string | undefined;
  readonly env: Environment;
  /** The project's folder. */
  readonly cwd: string;
  /** Path of the config to write. */
  readonly configPath: string;
}

export interface AgentReading {
  /** The files in which there is a list of servers, with the length of it. */
  readonly files: readonly { readonly file: string; readonly servers: number }[];
  readonly servers: readonly FoundServer[];
  readonly faulty: readonly FaultyServer[];
}

/**
 * Reads the servers of an agent: those of the user, and those of the project.
 * @throws ConfigError if a file cannot be read; AgentFileError, with file and place, if it cannot be understood
 */
export async function readAgentServers(
  source: AgentSource,
  agents: readonly Agent[] = KNOWN_AGENTS,
): Promise<AgentReading> {
  const readings = await readingsOf(source, agents);
  const withList = readings.filter(({ hasList }) => hasList);
  if (source.file !== undefined && withList.length === 0) throw new AgentFileError(NO_LIST).at(source.file);
  const off = new Set(readings.flatMap(({ switchedOff }) => switchedOff));
  const servers = withList.flatMap((reading) => reading.servers);
  return {
    files: withList.map(({ file, servers: own, faulty }) => ({ file, servers: own.length + faulty.length })),
    servers: await Promise.all(
      servers.map((server) => withVariables(off.has(server.name) ? { ...server, disabled: true } : server, source)),
    ),
    faulty: withList.flatMap(({ faulty }) => faulty),
  };
}

async function readingsOf(source: AgentSource, known: readonly Agent[]): Promise<PlaceReading[]> {
  const { agent, file, env, cwd } = source;
  if (file !== undefined)
    return [readText(await readNamedText(file), namedPlace(file, source, serverListAgents(known)), source)];
  const places = agent === undefined ? [] : agentConfigFiles(agent, env, cwd);
  const readings = await Promise.all(places.map((place) => readAgentConfigFile(place, source)));
  return readings.filter((reading) => reading !== undefined);
}

const NO_LIST = 'there is no "mcpServers", no "servers", no "context_servers" and no "mcp" in it';

/** A file of an agent. */
export interface AgentConfigFile {
  readonly file: string;
  /** The project whose file this is. */
  readonly root: string | undefined;
  readonly hasReferences: boolean;
  readonly hasBareReferences: boolean;
}

/** Returns the files of an agent: those of the user, and those of the project in `cwd`. */
export function agentConfigFiles({ servers }: ServerListAgent, env: Environment, cwd: string): AgentConfigFile[] {
  const { hasReferences, hasBareReferences = false, ofUser, inProject } = servers;
  const references = { hasReferences, hasBareReferences };
  const ofUs = ofUser(ownUserFolders(env)).map((file) => ({ file, root: undefined, ...references }));
  const files = new Set(ofUs.map(({ file }) => file));
  const ofProject = inProject(cwd).map((file) => ({ file, root: cwd, ...references }));
  return [...ofUs, ...ofProject.filter(({ file }) => !files.has(file))];
}

/** Returns what the path of a file tells about it. */
function namedPlace(file: string, source: AgentSource, all: readonly ServerListAgent[]): AgentConfigFile {
  const agents = source.agent === undefined ? all : [source.agent];
  const known = agents
    .flatMap((agent) => agentConfigFiles(agent, source.env, source.cwd))
    .find((place) => place.file === file);
  if (known !== undefined) return known;
  const { hasReferences, hasBareReferences = false } =
    source.agent === undefined ? { hasReferences: !isToml(file), hasBareReferences: true } : source.agent.servers;
  return { file, root: projectOf(file, all), hasReferences, hasBareReferences };
}

/** Returns the folder of the project that a file belongs to, by the places in which agents keep files of projects. */
function projectOf(file: string, agents: readonly ServerListAgent[]): string | undefined {
  const folder = path.dirname(file);
  const places = agents.flatMap(({ servers }) => servers.inProject('')).map((place) => path.parse(place));
  if (places.some(({ dir }) => dir !== '' && dir === path.basename(folder))) return path.dirname(folder);
  return places.some(({ dir, base }) => dir === '' && base === path.basename(file)) ? folder : undefined;
}

const SYSTEM: AgentSystem = {
  platform: process.platform,
  isFile: (file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true,
};

interface PlaceReading extends ReadServers {
  readonly file: string;
}

/** Reads a file of an agent; `undefined` if there is no such file. */
export async function readAgentConfigFile(
  place: AgentConfigFile,
  context: Pick<AgentSource, 'cwd' | 'configPath'>,
): Promise<PlaceReading | undefined> {
  const text = await readAgentText(place.file);
  return text === undefined ? undefined : readText(text, place, context);
}

function readText(
  text: string,
  place: AgentConfigFile,
  { cwd, configPath }: Pick<AgentSource, 'cwd' | 'configPath'>,
): PlaceReading {
  try {
    return {
      file: place.file,
      ...readServers(text, { ...place, cwd, configFolder: path.dirname(configPath), system: SYSTEM }),
    };
  } catch (error) {
    throw error instanceof AgentFileError ? error.at(place.file) : error;
  }
}

/** Returns the server with the names of the variables in its `envFile`. */
async function withVariables(server: FoundServer, { env, configPath }: AgentSource): Promise<FoundServer> {
  if (server.envFile === undefined) return server;
  const base = server.root ?? path.dirname(server.file);
  const named = expand(server.envFile, { ...env, VIADUCT_CONFIG_DIR: path.dirname(configPath) }).text;
  const text = await readAgentText(path.resolve(base, named)).catch(() => undefined);
  return text === undefined ? server : { ...server, fileVariables: Object.keys(parseEnv(text)) };
}
