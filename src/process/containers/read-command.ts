import { isOn, readOptions } from './options.ts';
import { behindWrapper, programName, spreadRemoteCommand } from './wrappers.ts';

/** A command line that runs something in a container. */
export type ContainerCommand = RunCommand | ExecCommand;

interface Invocation {
  /** The command line, which may be divided into more words than it was. */
  readonly words: readonly string[];
  /** The words that reach the container engine: wrappers such as `sudo`, the program, and its options before the subcommand. */
  readonly engine: readonly string[];
  /** The index among the words at which options of the subcommand can be added. */
  readonly insertAt: number;
}

/** Makes a container. */
export interface RunCommand extends Invocation {
  readonly kind: 'run';
  /** The engine removes the container when it has ended. */
  readonly isRemoved: boolean;
  /** True if there can be only one at a time: it has a name of its own, a file for its id, or a port of this machine. */
  readonly isUnique: boolean;
}

/** Runs a program in a container that is there already. */
export interface ExecCommand extends Invocation {
  readonly kind: 'exec';
  readonly container: string;
  readonly user: string | undefined;
}

const ENGINES: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl']);

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Options of the engines that take no value; all others do. */
const ENGINE_FLAGS = words(`
  -D -h -v -r --debug --debug-full --experimental --help --insecure-registry --noout --remote --syslog --tls --tlsverify
  --trace --transient-store --version`);

/** The same for `run` and `exec`, and for `compose run`. */
const SUBCOMMAND_FLAGS = words(`
  -d -i -P -q -t -T --build --detach --disable-content-trust --env-host --help --http-proxy --init --interactive --latest -l
  --no-deps --no-healthcheck --no-hostname --no-hosts --no-tty --no-TTY --oom-kill-disable --passwd --privileged --publish-all
  --quiet --quiet-build --quiet-pull --read-only --read-only-tmpfs --remove-orphans --replace --rm --rmi --rootfs --service-ports
  --sig-proxy --tls-verify --tty --unsetenv-all --use-aliases --use-api-socket`);

const UNIQUE = words('--name --cidfile --publish -p --service-ports --ip');

const COMPOSE_FLAGS = words('--all-resources --compatibility --dry-run --help -h --verbose --version -v');

const takesValueUnless = (flags: ReadonlySet<string>) => (name: string) => !flags.has(name);

/** `-l` is a label for `run`, and the latest container for `podman exec`. */
const takesValueForRun = (name: string) => name === '-l' || !SUBCOMMAND_FLAGS.has(name);

/** Variables that say which engine is meant. None of them holds a secret. */
export const ENGINE_VARIABLES: ReadonlySet<string> = words(`
  DOCKER_API_VERSION DOCKER_CERT_PATH DOCKER_CONFIG DOCKER_CONTEXT DOCKER_HOST DOCKER_TLS DOCKER_TLS_VERIFY
  CONTAINER_CONNECTION CONTAINER_HOST CONTAINER_SSHKEY CONTAINERS_CONF CONTAINERS_STORAGE_CONF
  CONTAINERD_ADDRESS CONTAINERD_NAMESPACE NERDCTL_TOML HOME PATH XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR`);

/**
 * Returns what a command line does with containers, where it is `docker run`, `docker exec`, `docker container run`,
 * `docker compose run` or the same of podman or nerdctl, directly or through `sudo`, `env`, `ssh` or `wsl`. Returns `undefined`
 * for everything else, and for containers that are detached: those are meant to go on.
 */
export function readContainerCommand(commandLine: readonly string[]): ContainerCommand | undefined {
  const words = spreadRemoteCommand(commandLine);
  const found = findEngine(words);
  if (found === undefined) return undefined;
  const behindEngine = readOptions(words, found.at + 1, takesValueUnless(ENGINE_FLAGS)).next;
  const { name, at } = subcommand(words, behindEngine);
  const invocation = { words, engine: found.engineUpTo(behindEngine), insertAt: at + 1 };
  if (name === 'run') return readRun(invocation);
  // A program in a container is ended by a script, which a second shell would need in quotes.
  return name === 'exec' && !found.isForShell ? readExec(invocation) : undefined;
}

function findEngine(words: readonly string[]) {
  const dropped = new Set<number>();
  const onVariable = (index: number, name: string) => {
    if (!ENGINE_VARIABLES.has(name)) dropped.add(index);
  };
  let at = 0;
  let isForShell = false;
  while (at < words.length && !ENGINES.has(programName(words[at]!))) {
    const wrapped = behindWrapper(words, at, onVariable);
    if (wrapped === undefined) return undefined;
    at = wrapped.at;
    isForShell ||= wrapped.isForShell;
  }
  if (at >= words.length) return undefined;
  const engineUpTo = (end: number) => words.slice(0, end).filter((_word, index) => !dropped.has(index));
  return { at, isForShell, engineUpTo };
}

/** `docker container run` is `docker run`; `docker compose` has options of its own before its subcommand. */
function subcommand(words: readonly string[], at: number): { readonly name: string | undefined; readonly at: number } {
  const name = words[at];
  if (name === 'container') return { name: words[at + 1], at: at + 1 };
  if (name !== 'compose') return { name, at };
  const { next } = readOptions(words, at + 1, takesValueUnless(COMPOSE_FLAGS));
  // `compose exec` names a service, and there may be several containers of one.
  return { name: words[next] === 'run' ? 'run' : undefined, at: next };
}

function readRun(invocation: Invocation): RunCommand | undefined {
  const { options } = readOptions(invocation.words, invocation.insertAt, takesValueForRun);
  if (isOn(options, '-d', '--detach')) return undefined;
  return {
    ...invocation,
    kind: 'run',
    isRemoved: isOn(options, '--rm'),
    isUnique: options.some(({ name }) => UNIQUE.has(name)),
  };
}

function readExec(invocation: Invocation): ExecCommand | undefined {
  const { options, next } = readOptions(invocation.words, invocation.insertAt, takesValueUnless(SUBCOMMAND_FLAGS));
  const container = invocation.words[next];
  if (container === undefined || isOn(options, '-d', '--detach') || isOn(options, '-l', '--latest')) return undefined;
  const user = options.findLast(({ name }) => name === '-u' || name === '--user')?.value;
  return { ...invocation, kind: 'exec', container, user };
}
