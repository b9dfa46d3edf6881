import path from 'node:path';

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/:?#]*)(?::\d*)?([^?#]*)/i;
const SCP_FORM = /^(?:[^/@[]+@)?(\[[^\]/]+\]|[^/:[]+):(.*)$/;
const WINDOWS_PATH = /^[a-z]:[\\/]/i;

/** Hosts that forges offer for SSH where its port is closed. */
const OTHER_NAMES = new Map([
  ['ssh.github.com', 'github.com'],
  ['altssh.gitlab.com', 'gitlab.com'],
  ['altssh.bitbucket.org', 'bitbucket.org'],
  ['ssh.dev.azure.com', 'dev.azure.com'],
]);

/**
 * One spelling for all addresses of a remote repository: `host/path`, in small letters, without user, port and `.git`.
 * A repository on this machine is its path, which `base` completes. `undefined` if the address says nothing.
 */
export function canonicalRemote(address: string, base: string): string | undefined {
  const text = address.trim();
  const { scheme, host, path: place } = partsOf(text);
  if (host === '') return text === '' ? undefined : localRemote(place, base);
  const [server, ...folders] = onForge(host, scheme, segmentsOf(place));
  return folders.length === 0 ? undefined : [server, ...folders].join('/').toLowerCase();
}

/** Returns the address without what may be a secret in it. */
export function withoutUser(address: string): string {
  return address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1');
}

interface Parts {
  readonly scheme: string;
  /** Empty for a repository on this machine. */
  readonly host: string;
  readonly path: string;
}

function partsOf(address: string): Parts {
  const url = URL_FORM.exec(address);
  if (url !== null) {
    const scheme = url[1]!.toLowerCase();
    const place = decoded(url[3]!);
    return { scheme, host: scheme === 'file' ? '' : hostOf(url[2]!), path: place };
  }
  const scp = WINDOWS_PATH.test(address) ? null : SCP_FORM.exec(address);
  if (scp !== null) return { scheme: 'ssh', host: hostOf(scp[1]!), path: scp[2]! };
  return { scheme: 'file', host: '', path: address };
}

function hostOf(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, '$1').replace(/^[^@]*@/, '');
  // In brackets there is an IPv6 address, or a host with a port.
  const host = /^[^:]*:\d+$/.test(bare) ? bare.slice(0, bare.indexOf(':')) : bare;
  const name = host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^www\./, '');
  return OTHER_NAMES.get(name) ?? name;
}

function segmentsOf(place: string): string[] {
  const segments = place.split('/').filter((segment) => segment !== '' && segment !== '.');
  const last = segments.pop()?.replace(/\.git$/i, '');
  return last === undefined || last === '' ? segments : [...segments, last];
}

/** Some forges have other paths for SSH than for HTTPS. */
function onForge(host: string, scheme: string, segments: string[]): string[] {
  const organisation = /^(.+)\.visualstudio\.com$/.exec(host)?.[1];
  if (host === 'dev.azure.com' || organisation === 'vs-ssh') return ['dev.azure.com', ...onAzure(segments)];
  if (organisation !== undefined) return ['dev.azure.com', ...onAzure([organisation, ...segments])];
  // Bitbucket on a server of one's own.
  const isScm = scheme.startsWith('http') && segments.length === 3 && segments[0]?.toLowerCase() === 'scm';
  return [host, ...(isScm ? segments.slice(1) : segments)];
}

/** `v3/organisation/project/repository` or `organisation/project/_git/repository`; without `project` where both are named alike. */
function onAzure(segments: readonly string[]): string[] {
  const named = segments.filter((segment) => segment.toLowerCase() !== 'defaultcollection');
  if (named[0] === 'v3') return named.slice(1);
  const mark = named.indexOf('_git');
  if (mark === -1) return named;
  const repository = named.slice(mark + 1);
  return [...named.slice(0, mark), ...(mark === 1 ? repository : []), ...repository];
}

function localRemote(place: string, base: string): string | undefined {
  const whole = WINDOWS_PATH.test(place) ? place.replaceAll('\\', '/') : path.resolve(base, place);
  const segments = segmentsOf(whole);
  return segments.length === 0 ? undefined : `/${segments.join('/')}`.toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
