import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { openServe, type Serving, startStdio, writeConfig } from '../gateway.ts';
import { HttpSession } from '../http/http-client.ts';
import { ModernHttpClient } from '../http/modern-http-client.ts';
import type { AtEnd } from '../shared.ts';

/** A client of any era, over any transport. */
export interface WayClient {
  /** The whole answer to a request. */
  ask(method: string, params?: object): Promise<any>;
}

const WAYS = ['http', 'attached', 'alone'] as const;
const ERAS = ['legacy', 'modern'] as const;

type Way = (typeof WAYS)[number];
type Era = (typeof ERAS)[number];

/** Every way on which a client of a profile can come. */
export const ALL_WAYS = WAYS.flatMap((way) => ERAS.map((era) => [era, way] as const));

/** A gateway that is there for several tests, and the clients of its profiles. */
export class ProfileSite {
  readonly config: string;
  readonly serving: Serving;
  readonly #atEnd: AtEnd;

  private constructor(config: string, serving: Serving, atEnd: AtEnd) {
    this.config = config;
    this.serving = serving;
    this.#atEnd = atEnd;
  }

  static async open(config: object, atEnd: AtEnd): Promise<ProfileSite> {
    const home = newHome();
    const file = writeConfig(config, home);
    return new ProfileSite(file, await openServe(file, { ...process.env, VIADUCT_HOME: home }, atEnd), atEnd);
  }

  /** Url of a profile, or of the endpoint without one. */
  url(profile?: string): string {
    return profile === undefined ? this.serving.url : `${this.serving.url}/${profile}`;
  }

  connect(era: Era, way: Way, profile?: string): Promise<WayClient> {
    return way === 'http' ? connectHttp(era, this.url(profile)) : this.#connectStdio(era, way, profile);
  }

  async #connectStdio(era: Era, way: Way, profile?: string): Promise<WayClient> {
    const words = profile === undefined ? [] : ['--profile', profile];
    const env = way === 'attached' ? this.serving.env : { ...process.env, VIADUCT_HOME: newHome() };
    const { client } = startStdio(this.config, env, { words, atEnd: this.#atEnd });
    const meta = era === 'modern' ? { _meta: ENVELOPE } : {};
    if (era === 'legacy') await client.initialize();
    return { ask: async (method, params = {}) => (await client.request(method, { ...params, ...meta })).value };
  }
}

/** In the home of the test file, which goes with it. */
function newHome(): string {
  return mkdtempSync(path.join(process.env.VIADUCT_HOME!, 'site-'));
}

async function connectHttp(era: Era, url: string): Promise<WayClient> {
  if (era === 'modern') {
    const client = new ModernHttpClient(url);
    return { ask: async (method, params = {}) => (await client.post(method, params)).json };
  }
  const session = await HttpSession.open(url);
  return { ask: async (method, params) => JSON.parse((await session.post(session.request(method, params))).body) };
}

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' },
};
