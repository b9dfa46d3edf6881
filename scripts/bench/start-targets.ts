import { spawnSync } from 'node:child_process';
import { GATEWAY, newHome, openStdio, PREFIX, TARGETS, type Target, writeConfig } from './targets.ts';

/** A place in which gateways start, and what they leave there: known lists, compiled code. */
class Place {
  readonly #config: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(mode: 'private' | 'shared') {
    this.#config = writeConfig(50, 1);
    this.#env = { ...newHome(), VIADUCT_GATEWAY: mode };
  }

  connect() {
    return openStdio([GATEWAY, 'stdio', '--config', this.#config], this.#env, true, PREFIX);
  }

  /** Makes the lists known, and with `shared` leaves a gateway behind. */
  async visit(): Promise<void> {
    await (await this.connect()).close();
  }

  /** Ends the shared gateway. */
  stop(): void {
    spawnSync(process.execPath, [GATEWAY, 'stop', '--config', this.#config], { env: this.#env });
  }
}

/** A target whose place is made anew for each start. */
function coldTarget(mode: 'private' | 'shared'): Target {
  let place: Place | undefined;
  const stop = () => place?.stop();
  const prepare = async () => {
    stop();
    place = new Place(mode);
  };
  return { name: `${mode}, cold`, ...COMMON, prepare, connect: () => place!.connect(), end: stop };
}

/** A target whose place was visited before; `prepareAgain` is called before each start. */
function knownTarget(name: string, mode: 'private' | 'shared', prepareAgain: (place: Place) => void): Target {
  let place: Place | undefined;
  const prepare = async () => {
    if (place === undefined) {
      place = new Place(mode);
      await place.visit();
    }
    prepareAgain(place);
  };
  return { name, ...COMMON, prepare, connect: () => place!.connect(), end: () => place?.stop() };
}

const COMMON = { baseline: 'direct stdio', prefix: PREFIX };
const nothing = () => undefined;

/** The ways in which a client gets its first list. */
export const START_TARGETS: readonly Target[] = [
  TARGETS[0]!,
  coldTarget('private'),
  knownTarget('private, known lists', 'private', nothing),
  coldTarget('shared'),
  knownTarget('shared, known lists', 'shared', (place) => place.stop()),
  knownTarget('attached', 'shared', nothing),
];
