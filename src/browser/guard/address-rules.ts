import { type AddressKind, addressKind } from './address-kind.ts';
import { HostGlobs } from './host-globs.ts';
import { HostLookup } from './host-lookup.ts';
import { type Destination, isOwn, type OwnAddress } from './own-addresses.ts';

export interface AddressRulesOptions {
  /** Globs of private hosts that are allowed: names or addresses, with or without a port. */
  readonly allowHosts: readonly string[];
  /** Globs of the only hosts whose documents are allowed; all if missing. */
  readonly onlyHosts?: readonly string[] | undefined;
  /** True if this machine is allowed, except for `own`. */
  readonly loopback: boolean;
  /** Addresses that are never allowed. Called for each request. */
  readonly own: () => readonly OwnAddress[];
  readonly hosts?: HostLookup;
}

/** `why` completes "… is refused:". */
export type Verdict = { readonly allowed: true } | { readonly allowed: false; readonly why: string };

/** Decides which addresses a browser may open. */
export interface AddressRules {
  /** Decides on a document: a page or a frame. */
  check(url: string): Promise<Verdict>;
  /** Decides on a request of a document, such as one for an image or a WebSocket. */
  checkRequest(url: string): Promise<Verdict>;
  /**
   * Decides on the address that a request has reached.
   * @param url of the request
   * @param address IPv4 or IPv6, without brackets
   */
  checkReached(url: string, address: string): Verdict;
}

const ALLOWED: Verdict = { allowed: true };
const denied = (why: string): Verdict => ({ allowed: false, why });

const PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

/** Documents that have no address. Other `about:` pages are pages of the browser itself. */
const EMPTY_DOCUMENTS: ReadonlySet<string> = new Set(['about:blank', 'about:srcdoc']);

/** Content of these comes from the page itself. */
const INNER_SCHEMES: ReadonlySet<string> = new Set(['data:', 'blob:']);

/** Names of the services that give cloud machines their keys. Their addresses may be of any kind. */
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'metadata.azure.internal',
  'instance-data',
  'instance-data.ec2.internal',
]);

const WHY_NOT: Readonly<Record<Exclude<AddressKind, 'public'>, string>> = {
  loopback: 'it leads to this machine, which workflows.webview.loopback forbids',
  linkLocal: 'it leads to a link-local address',
  metadata: 'it leads to the metadata service of a cloud',
  private: 'it leads to a private network; workflows.webview.allowHosts can list it',
};

/**
 * Makes the rules.
 * @throws GlobError if a glob cannot be used
 */
export function addressRules(options: AddressRulesOptions): AddressRules {
  const { hosts = new HostLookup(), onlyHosts } = options;
  const judge = judgeWith(options);
  const only = onlyHosts === undefined ? undefined : new HostGlobs(onlyHosts);
  const checkNetwork = async (url: URL): Promise<Verdict> => {
    const { host, port } = placeOf(url);
    if (METADATA_NAMES.has(host)) return denied(WHY_NOT.metadata);
    try {
      return judge({ host, port, addresses: await hosts.addressesOf(url.hostname) });
    } catch (error) {
      return denied((error as Error).message);
    }
  };
  return {
    async check(text) {
      const url = parsed(text);
      if (url === undefined) return denied('it is not a URL');
      if (EMPTY_DOCUMENTS.has(url.protocol + url.pathname)) return ALLOWED;
      if (url.protocol !== 'http:' && url.protocol !== 'https:')
        return denied('only http, https and about:blank are allowed');
      const { host, port } = placeOf(url);
      if (only?.matches(host, port) === false) return denied('workflows.webview.onlyHosts does not list its host');
      return checkNetwork(url);
    },
    async checkRequest(text) {
      const url = parsed(text);
      if (url === undefined) return denied('it is not a URL');
      if (INNER_SCHEMES.has(url.protocol) || EMPTY_DOCUMENTS.has(url.protocol + url.pathname)) return ALLOWED;
      return url.protocol in PORTS ? checkNetwork(url) : denied(`${url.protocol} is not allowed`);
    },
    checkReached(text, address) {
      const url = parsed(text);
      if (url === undefined || !(url.protocol in PORTS)) return ALLOWED;
      return judge({ ...placeOf(url), addresses: [address] });
    },
  };
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function placeOf(url: URL): { readonly host: string; readonly port: number } {
  const host = url.hostname.toLowerCase().replace(/^\[|\]$|\.$/g, '');
  return { host, port: url.port === '' ? PORTS[url.protocol]! : Number(url.port) };
}

function judgeWith({ allowHosts, loopback, own }: AddressRulesOptions): (destination: Destination) => Verdict {
  const allowed = new HostGlobs(allowHosts);
  const judgeAddress = ({ host, port }: Destination, address: string): Verdict => {
    const kind = addressKind(address);
    if (kind === 'public' || (kind === 'loopback' && loopback)) return ALLOWED;
    const canBeListed = kind === 'private' || kind === 'loopback';
    const isListed = canBeListed && (allowed.matches(host, port) || allowed.matches(address, port));
    return isListed ? ALLOWED : denied(WHY_NOT[kind]);
  };
  return (destination) => {
    if (isOwn(destination, own()))
      return denied('it is an address of the gateway itself, or of a browser that it controls');
    const verdicts = destination.addresses.map((address) => judgeAddress(destination, address));
    return verdicts.find((verdict) => !verdict.allowed) ?? ALLOWED;
  };
}
