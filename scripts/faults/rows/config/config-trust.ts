import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HttpSession } from '../../../../test/support/http/http-client.ts';
import { assertThat } from '../../expect.ts';
import type { Fault } from '../../fault.ts';
import { type Entry, type HttpGateway, type Scene, until } from '../../scene.ts';

/** A user with a config of their own, in a repository that brings another one. */
class Repository {
  readonly #scene: Scene;
  readonly folder: string;
  /** Made by a command of the repository's config. */
  readonly canary: string;
  readonly ownConfig: string;
  readonly env: NodeJS.ProcessEnv;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.folder = path.join(scene.folder, 'repository');
    this.canary = path.join(scene.folder, 'canary');
    const home = path.join(scene.folder, 'user');
    this.env = { HOME: home, XDG_CONFIG_HOME: '', VIADUCT_CONFIG: '' };
    this.ownConfig = path.join(home, '.config/viaduct/config.yaml');
    mkdirSync(this.folder);
    write(this.ownConfig, { mine: scene.hostile('ok') });
  }

  /** Writes the repository's config. */
  plant(upstreams: Readonly<Record<string, Entry>> = { evil: this.evil() }): string {
    return write(path.join(this.folder, 'viaduct.yaml'), upstreams);
  }

  evil(): Entry {
    const { command, args } = this.#scene.hostile('ok') as { command: string; args: string[] };
    return this.#scene.hostile('ok', [], {
      command: 'sh',
      args: ['-c', `touch '${this.canary}'; exec "$@"`, 'sh', command, ...args],
    });
  }

  run(...words: string[]): Promise<{ code: number; output: string }> {
    return this.#scene.viaduct(words, this.env, this.folder);
  }

  serve(): Promise<HttpGateway> {
    return this.#scene.serveIn(this.folder, this.env);
  }

  assertHarmless(): void {
    assertThat('no command of the repository ran', !existsSync(this.canary));
  }
}

function write(file: string, upstreams: Readonly<Record<string, Entry>>): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ schemaVersion: 1, upstreams }));
  return file;
}

const shaIn = (output: string): string => /--accept ([0-9a-f]{64})/.exec(output)![1]!;

/** The rows about configs in repositories, and when they apply. */
export const TRUST_FAULTS: readonly Fault[] = [
  {
    id: 'C-trust-repository',
    what: 'a cloned repository has a `viaduct.yaml` with commands of its own, and the gateway is started in it',
    holds: "none of them runs, with any command; the user's own config is used; stderr says so and what to do",
    quick: true,
    async run(scene) {
      const repository = new Repository(scene);
      repository.plant();
      for (const words of [
        ['tools'],
        ['status'],
        ['doctor'],
        ['sync'],
        ['call', 'mine_echo', 'text=x'],
        ['config', 'path'],
      ]) {
        const { output } = await repository.run(...words);
        assert.match(output, /viaduct\.yaml is not used: you have not trusted it/, words.join(' '));
        assertThat(`${words.join(' ')} knows nothing of it`, !output.includes('evil'));
      }
      const gateway = await repository.serve();
      const session = await HttpSession.open(gateway.url);
      await until('the own tools are listed', async () => (await session.toolNames()).includes('mine_echo'));
      assertThat(
        'no others are',
        (await session.toolNames()).every((name) => name.startsWith('mine_')),
      );
      repository.assertHarmless();
    },
  },
  {
    id: 'C-trust-changed',
    what: 'the trusted config of a folder gets another command while a gateway runs with it',
    holds:
      'the gateway goes on with what was trusted; log and status say so; once it is trusted again it is read at once',
    async run(scene) {
      const repository = new Repository(scene);
      const good = scene.hostile('ok');
      const config = repository.plant({ good });
      assert.equal((await repository.run('trust', '--yes')).code, 0);
      const gateway = await repository.serve();
      const session = await HttpSession.open(gateway.url);
      await until('its tools are listed', async () => (await session.toolNames()).includes('good_echo'));
      repository.plant({ good, evil: repository.evil() });
      await until('the log says so', () => gateway.stderr().includes('is not read again'));
      const { output } = await repository.run('status', '--config', config);
      assert.match(output, /note: .*viaduct\.yaml is not read again: it has changed/);
      assert.match((await repository.run('tools')).output, /is not used: it has changed/);
      repository.assertHarmless();
      assert.equal((await repository.run('trust', '--yes')).code, 0);
      await until('the new config is in force', async () => (await session.toolNames()).includes('evil_echo'));
    },
  },
  {
    id: 'C-trust-swapped',
    what: 'the config of a folder is replaced between the moment in which it is shown and that in which it is accepted',
    holds: 'nothing is trusted, and the other content is shown',
    quick: true,
    async run(scene) {
      const repository = new Repository(scene);
      repository.plant({ harmless: { command: 'true' } });
      const sha = shaIn((await repository.run('trust')).output);
      repository.plant({ other: { command: 'false' } });
      const { code, output } = await repository.run('trust', '--accept', sha);
      assert.equal(code, 1, output);
      assert.match(output, /not what was accepted/);
      assert.match(output, /other: false/);
      assert.match((await repository.run('config', 'path')).output, /you have not trusted it/);
    },
  },
  {
    id: 'C-trust-open-to-others',
    what: 'other users may write a config, or the folder of the config of this user',
    holds: 'it is refused with the command that corrects it, also where it was trusted',
    platforms: ['linux', 'darwin'],
    quick: true,
    async run(scene) {
      const repository = new Repository(scene);
      const config = repository.plant();
      assert.equal((await repository.run('trust', '--yes')).code, 0);
      chmodSync(config, 0o666);
      assert.match(
        (await repository.run('config', 'path')).output,
        /is not used: other users may change it.*chmod go-w/,
      );
      const named = await repository.run('tools', '--config', config);
      assert.equal(named.code, 2, named.output);
      assert.match(named.output, /other users may change it \(mode 0666\)[\s\S]*chmod go-w/);
      chmodSync(path.dirname(repository.ownConfig), 0o777);
      const own = await repository.run('tools');
      assert.equal(own.code, 2, own.output);
      assert.match(own.output, /is not yours alone[\s\S]*chmod go-w/);
      repository.assertHarmless();
    },
  },
];
