import assert from 'node:assert/strict';
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HttpSession } from '../../../../test/support/http/http-client.ts';
import { assertThat } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { type Entry, type HttpGateway, MARKER, type Scene, until } from '../../scene.ts';

/** A gateway that follows its config while a client calls without a pause. */
class Reloading {
  readonly #scene: Scene;
  readonly gateway: HttpGateway;
  readonly file: string;
  readonly #session: HttpSession;
  readonly #calling: Promise<number>;
  #isOver = false;

  private constructor(scene: Scene, gateway: HttpGateway, file: string, session: HttpSession) {
    this.#scene = scene;
    this.gateway = gateway;
    this.file = file;
    this.#session = session;
    this.#calling = this.#call();
  }

  static async start(scene: Scene, file = path.join(scene.folder, 'viaduct.yaml')): Promise<Reloading> {
    if (!existsSync(file)) writeFileSync(file, textOf(scene));
    const gateway = await scene.serve(file);
    const session = await HttpSession.open(gateway.url);
    await until('the tools are listed', async () => (await session.toolNames()).includes('good_echo'));
    return new Reloading(scene, gateway, file, session);
  }

  /** Resolves when the log has a new line about a reload with `words` in it. */
  async seen(words: string, change: () => void): Promise<void> {
    const from = this.gateway.stderr().length;
    change();
    await until(`a reload with "${words}"`, () =>
      reloads(this.gateway.stderr().slice(from)).some((line) => line.includes(words)),
    );
  }

  async lists(name: string): Promise<boolean> {
    return (await this.#session.toolNames()).includes(`${name}_echo`);
  }

  /** The calls that were made all along succeeded, in the one process that there was from the start. */
  async end(): Promise<void> {
    this.#isOver = true;
    assertThat('calls were made', (await this.#calling) > 0);
    assert.equal(this.#scene.pidsIn(this.#scene.logFile('good')).length, 1, 'processes of the unchanged entry');
  }

  async #call(): Promise<number> {
    let calls = 0;
    for (; !this.#isOver; calls++) {
      assert.equal(await this.#session.callText('good_echo', { text: `call ${calls}` }), `call ${calls}`);
      await delay(5);
    }
    return calls;
  }
}

const reloads = (log: string): string[] => log.split('\n').filter((line) => line.includes('"event":"reload"'));

function entry(scene: Scene, name: string): Entry {
  return scene.fixture('hostile', ['--mode=ok', `--log=${scene.logFile(name)}`]);
}

function textOf(scene: Scene, ...more: string[]): string {
  const upstreams = Object.fromEntries(['good', ...more].map((name) => [name, entry(scene, name)]));
  return JSON.stringify({ schemaVersion: 1, log: { level: 'debug' }, upstreams }, null, 2);
}

function replace(file: string, text: string): void {
  writeFileSync(`${file}.draft`, text);
  renameSync(`${file}.draft`, file);
}

const STAYS = 'stays in force';

/** A text that is written over the config while calls run: nothing changes but the log. */
function refused(id: string, what: string, words: RegExp, text: (scene: Scene) => string): Fault {
  return {
    id: `C-reload-${id}`,
    what: `the config becomes ${what} while calls run`,
    holds: 'the last valid one stays in force, no call fails, the log says where the fault is and shows no secret',
    quick: id === 'invalid',
    async run(scene) {
      const reloading = await Reloading.start(scene);
      await reloading.seen(STAYS, () => replace(reloading.file, text(scene)));
      assert.match(reloads(reloading.gateway.stderr()).at(-1)!, words);
      assertThat('no secret is in the log', !reloading.gateway.stderr().includes(MARKER));
      await reloading.seen('was read again', () => replace(reloading.file, textOf(scene, 'fresh')));
      await until('the mended config is in force', () => reloading.lists('fresh'));
      await reloading.end();
    },
  };
}

export const RELOAD_FAULTS: readonly Fault[] = [
  refused('invalid', 'invalid', /good\.comand: unknown key/, (scene) => textOf(scene).replace('"command"', '"comand"')),
  refused('no-yaml', 'no YAML', /viaduct\.yaml:[0-9]+:[0-9]+/, (scene) => `${textOf(scene)}\n}: [`),
  refused('empty', 'empty', /viaduct\.yaml/, () => ''),
  refused('bomb', 'a bomb of aliases', /alias/, () => BOMB),
  refused('version', 'one of another version', /schemaVersion/, (scene) => textOf(scene).replace(': 1', ': 2')),
  {
    id: 'C-reload-half-written',
    what: 'an editor writes the config in two halves, a second apart',
    holds: 'half a config changes nothing; the whole one is taken',
    async run(scene) {
      const reloading = await Reloading.start(scene);
      const text = textOf(scene, 'fresh');
      await reloading.seen(STAYS, () => writeFileSync(reloading.file, text.slice(0, text.length / 2)));
      await delay(500);
      await reloading.seen('was read again', () => writeFileSync(reloading.file, text));
      await until('the whole config is in force', () => reloading.lists('fresh'));
      await reloading.end();
    },
  },
  {
    id: 'C-reload-truncated',
    what: 'the config is cut to nothing and written in place, again and again',
    holds: 'no call fails, the last text is in force',
    async run(scene) {
      const reloading = await Reloading.start(scene);
      for (let round = 0; round < 10; round++) {
        truncateSync(reloading.file, 0);
        await delay(20);
        writeFileSync(reloading.file, textOf(scene, `v${round}`));
        await delay(80);
      }
      await until('the last config is in force', () => reloading.lists('v9'));
      await reloading.end();
    },
  },
  {
    id: 'C-reload-deleted',
    what: 'the config is deleted, and comes back',
    holds: 'nothing changes while it is gone; the new one is taken',
    quick: true,
    async run(scene) {
      const reloading = await Reloading.start(scene);
      await reloading.seen(STAYS, () => rmSync(reloading.file));
      await reloading.seen('was read again', () => writeFileSync(reloading.file, textOf(scene, 'fresh')));
      await until('the new config is in force', () => reloading.lists('fresh'));
      await reloading.end();
    },
  },
  {
    id: 'C-reload-renamed-over',
    what: 'editors and tools rename a new file over the config, five times',
    holds: 'each one is taken, unchanged entries keep their process',
    async run(scene) {
      const reloading = await Reloading.start(scene);
      for (const name of ['v1', 'v2', 'v3', 'v4', 'v5']) {
        await reloading.seen('was read again', () => replace(reloading.file, textOf(scene, name)));
        await until(`${name} is in force`, () => reloading.lists(name));
      }
      assertThat('what the config no longer has is gone', !(await reloading.lists('v4')));
      await reloading.end();
    },
  },
  {
    id: 'C-reload-symlink',
    what: 'the config is a symbolic link that is turned to another file in another folder',
    holds: 'the other file is taken, and followed from then on',
    async run(scene) {
      const link = path.join(scene.folder, 'viaduct.yaml');
      const [first, second] = ['first.yaml', 'second.yaml'].map((name) => path.join(scene.folder, name));
      writeFileSync(first!, textOf(scene));
      writeFileSync(second!, textOf(scene, 'v2'));
      symlinkSync(first!, link);
      const reloading = await Reloading.start(scene, link);
      symlinkSync(second!, `${link}.draft`);
      await reloading.seen('was read again', () => renameSync(`${link}.draft`, link));
      await until('the other file is in force', () => reloading.lists('v2'));
      await reloading.seen('was read again', () => writeFileSync(second!, textOf(scene, 'v3')));
      await until('its change is in force', () => reloading.lists('v3'));
      await reloading.end();
    },
  },
  {
    id: 'C-reload-ten-a-second',
    what: 'the config is written ten times a second for five seconds, every other time invalid',
    holds: 'no call fails, unchanged entries keep their process, the last text is in force',
    async run(scene) {
      const reloading = await Reloading.start(scene);
      for (let round = 0; round < 50; round++) {
        replace(reloading.file, round % 2 === 0 ? '{ upstreams: ' : textOf(scene, `v${round % 4}`));
        await delay(100);
      }
      await reloading.seen('was read again', () => replace(reloading.file, textOf(scene, 'last')));
      await until('the last config is in force', () => reloading.lists('last'));
      await until('the others are gone', async () => !(await reloading.lists('v1')) && !(await reloading.lists('v3')));
      await reloading.end();
    },
  },
  {
    id: 'L-log-file',
    what: 'the log goes to a file as well, and an upstream prints its secret',
    holds: 'the file is for its user only, has the same lines, and no secret',
    quick: true,
    async run(scene) {
      const file = path.join(scene.folder, 'gateway.log');
      const log = { level: 'debug', file: '${LOG_NAME}' };
      const gateway = await scene.serve(scene.config({ log, upstreams: { loud: loud() } }), {
        LOG_NAME: './gateway.log',
      });
      await until('the secret was logged', () => readFileSync(file, 'utf8').includes('it is [secret]'));
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assertThat('no secret is in the file', !readFileSync(file, 'utf8').includes(MARKER));
      await until('standard error has the same', () => gateway.stderr().startsWith(`${scene.linesOf(file)[0]}\n`));
    },
  },
  {
    id: 'L-log-file-full',
    what: 'the disk is full on which the log file is',
    holds: 'calls go on, standard error has every line and says once what is wrong with the file',
    quick: true,
    platforms: ['linux'],
    async run(scene) {
      const upstreams = { good: entry(scene, 'good'), loud: loud() };
      const gateway = await scene.serve(scene.config({ log: { level: 'debug', file: '/dev/full' }, upstreams }));
      const session = await HttpSession.open(gateway.url);
      await until('the tools are listed', async () => (await session.toolNames()).includes('good_echo'));
      await until('the line is there', () => gateway.stderr().includes('it is [secret]'));
      assert.equal(gateway.stderr().split('"event":"log-file"').length, 2);
    },
  },
];

/** An upstream that prints its secret and ends. */
function loud(): Entry {
  const script = 'console.error("it is " + process.env.SECRET)';
  return { command: process.execPath, args: ['-e', script], env: { SECRET: MARKER } };
}

/** Nine levels of ten aliases each: a billion values. */
export const BOMB = [
  'schemaVersion: 1',
  'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
  ...Array.from({ length: 9 }, (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(10)}]`),
  'upstreams: *a9',
].join('\n');
