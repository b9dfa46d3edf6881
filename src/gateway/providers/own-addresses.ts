import { readdirSync } from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import type { OwnAddress } from '../../browser/guard/own-addresses.ts';
import type { Config, ServerConfig } from '../../config/schema.ts';
import { asObject } from '../../core/json/as-object.ts';
import { recordedUrls } from '../serving/daemon-record.ts';

type ServerNames = Pick<ServerConfig, 'host' | 'port' | 'tcp' | 'allowedHosts' | 'oauth'>;
type Workflows = Pick<Config, 'enabledWorkflows' | 'workflows'>;

/** Files are read at most this often: browsers ask for each request of a page. */
const KEPT_MS = 1_000;

/** Knows at which addresses this gateway and the other gateways of the user are reached. */
export class OwnAddresses {
  readonly #folder: string;
  readonly #now: () => number;
  #named: readonly OwnAddress[] = [];
  #recorded: readonly OwnAddress[] = [];
  #readAt = Number.NEGATIVE_INFINITY;

  /** @param home the gateway's folder for its own files */
  constructor(home: string, now: () => number = () => performance.now()) {
    this.#folder = path.join(home, 'run');
    this.#now = now;
  }

  /** Goes over to another config. */
  configure({ server, ...workflows }: { readonly server: ServerNames } & Workflows): void {
    this.#named = [...namedIn(server), ...liveAddress(workflows)];
  }

  /** Returns the addresses that the config names, and those of the gateways that run now. */
  list(): readonly OwnAddress[] {
    if (this.#now() - this.#readAt >= KEPT_MS) {
      this.#readAt = this.#now();
      this.#recorded = recordsIn(this.#folder).flatMap((file) =>
        recordedUrls(file).flatMap(addressIn).flatMap(ofThisMachine),
      );
    }
    return [...this.#named, ...this.#recorded];
  }
}

function namedIn({ host, port, tcp, allowedHosts, oauth }: ServerNames): readonly OwnAddress[] {
  const named = [{ host, port }, ...(tcp === undefined || tcp.path !== undefined ? [] : [tcp])];
  const listening = named.filter((each) => each.port !== 0).flatMap(ofThisMachine);
  const audience = oauth === undefined ? [] : addressIn(oauth.audience);
  return [...listening, ...allowedHosts.flatMap((text) => publicAddresses(text, port)), ...audience];
}

/** A server that listens at a name is reached by every other name and address of this machine, too: `isOwn` knows them by localhost. */
function ofThisMachine(address: OwnAddress): readonly OwnAddress[] {
  return isIP(address.host) === 0 ? [address, { host: 'localhost', port: address.port }] : [address];
}

/**
 * Returns the configured address of the workflow `live`, which listens separately. Without a host, it is an address of
 * this machine.
 */
function liveAddress({ enabledWorkflows, workflows }: Workflows): readonly OwnAddress[] {
  const { addr } = asObject(workflows.live);
  if (!enabledWorkflows.includes('live') || typeof addr !== 'string') return [];
  const text = addr.trim();
  return addressIn(`http://${text.startsWith(':') ? 'localhost' : ''}${text}`)
    .filter(({ port }) => port !== 0)
    .flatMap(ofThisMachine);
}

/** A Host header without a port is that of a usual port, unless the client leaves out the gateway's own. */
function publicAddresses(text: string, ownPort: number): readonly OwnAddress[] {
  const [{ host, port } = { host: '', port: 0 }] = addressIn(`http://${text}`);
  if (host === '') return [];
  const ports = port === 80 && !text.endsWith(':80') ? [80, 443, ownPort] : [port];
  return ports.filter((each) => each !== 0).map((each) => ({ host, port: each }));
}

function addressIn(text: string): readonly OwnAddress[] {
  if (!URL.canParse(text)) return [];
  const { hostname, port, protocol } = new URL(text);
  // A socket in the file system has no address.
  if (hostname === '') return [];
  const usual = protocol === 'https:' ? 443 : 80;
  return [{ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? usual : Number(port) }];
}

function recordsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => path.join(folder, name));
  } catch {
    return []; // no gateway has listened yet
  }
}
