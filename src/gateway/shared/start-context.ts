import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { asObject } from '../../core/json/as-object.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { cgroupIn } from './cgroup.ts';

/**
 * The surroundings in which a process was started, as far as they decide what it may do: facts by their names. Processes with
 * different facts do not share a gateway, because one of them would get the rights of the other.
 */
export type StartContext = Readonly<Record<string, string>>;

/** Variables by which sandboxes and containers tell programs that they run in one. */
const MARKERS = [
  'APP_SANDBOX_CONTAINER_ID', // App Sandbox of macOS
  'CODEX_SANDBOX', // Codex: `seatbelt`
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'SANDBOX_RUNTIME', // Anthropic's sandbox runtime
  'SANDBOX', // Gemini CLI
  'container', // systemd-nspawn, Podman, Firejail, Flatpak
  'FLATPAK_ID',
  'SNAP',
];
/** Files by which containers tell the same. */
const MARKER_FILES = ['/.dockerenv', '/run/.containerenv', '/.flatpak-info'];
/** Lines of `/proc/self/status` that tell of restrictions that a process cannot leave. */
const RESTRICTIONS = ['NoNewPrivs', 'Seccomp'];

/** Returns the surroundings of this process. */
export function startContext(env: Environment): StartContext {
  const facts = [
    ['uid', String(process.getuid?.() ?? '')],
    ['cgroup', cgroupIn(textIn('/proc/self/cgroup'))],
    ...namespaces(),
    ...restrictionsIn(textIn('/proc/self/status')),
    ['AppArmor profile', enforcedProfileIn(textIn('/proc/self/attr/current'))],
    ...MARKERS.map((name) => [`variable ${name}`, env[name] ?? '']),
    ...MARKER_FILES.map((file) => [`file ${file}`, existsSync(file) ? 'is there' : '']),
  ];
  return Object.fromEntries(facts.filter(([, value]) => value !== ''));
}

/** Returns the names of the facts in which two contexts differ. */
export function differences(one: StartContext, other: StartContext): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].filter((name) => one[name] !== other[name]);
}

/** Reads a context from a record. */
export function startContextIn(value: unknown): StartContext {
  return Object.fromEntries(Object.entries(asObject(value)).map(([name, fact]) => [name, String(fact)]));
}

/** Those of the children differ only where something has prepared that. */
function namespaces(): string[][] {
  try {
    const names = readdirSync('/proc/self/ns').filter((name) => !name.endsWith('_for_children'));
    return names.map((name) => [`${name} namespace`, readlinkSync(`/proc/self/ns/${name}`)]);
  } catch {
    return []; // not on Linux
  }
}

function restrictionsIn(status: string): string[][] {
  const lines = status.split('\n').map((line) => line.split(':\t'));
  return lines
    .filter(([name = '']) => RESTRICTIONS.includes(name))
    .map(([name = '', value = '']) => [name, value.trim()]);
}

/** A profile that only complains, or is there for its name, takes nothing away. */
function enforcedProfileIn(text: string): string {
  return text.trim().endsWith('(enforce)') ? text.trim() : '';
}

function textIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not on Linux, or without this part of the kernel
  }
}
