import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Config } from '../../../../src/config/schema.ts';
import { digestOf } from '../../../../src/config/source/config-file.ts';
import { type ConfigScope, readOwnConfig } from '../../../../src/config/source/find.ts';
import { type Settings, settingsOf } from '../../../../src/gateway/settings/load-settings.ts';
import { followConfig } from '../../../../src/gateway/settings/watch-config.ts';
import { addTrust, removeTrust } from '../../../../src/gateway/trust/trust-file.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { atEnd } from '../../../support/shared.ts';

const text = (grace: number) => `schemaVersion: 1\nlists: { graceMs: ${grace} }\n`;

/** A gateway that has read a config of this scope and follows it. */
class Following {
  readonly home = path.join(temporaryFolder(), 'home');
  readonly file = path.join(temporaryFolder(), 'viaduct.yaml');
  /** What the gateway went over to. */
  readonly taken: number[] = [];
  readonly logged: string[] = [];
  settings!: Settings;

  async start(scope: ConfigScope): Promise<this> {
    mkdirSync(this.home);
    this.write(1);
    await this.trust(1);
    await this.read(scope);
    this.follow();
    return this;
  }

  async read(scope: ConfigScope): Promise<void> {
    const file = await readOwnConfig({ path: this.file, scope });
    const settings = settingsOf({ found: true, file, scope, passedOver: [] }, { VIADUCT_HOME: this.home }, 'silent');
    const note = (facts: object, words: string) => void this.logged.push(`${JSON.stringify(facts)} ${words}`);
    this.settings = { ...settings, log: { info: note, warn: note, error: note } as unknown as Settings['log'] };
  }

  follow(): void {
    const part = { reload: ({ lists }: Config) => void this.taken.push(lists.graceMs) };
    const watch = followConfig([part], this.settings, { VIADUCT_HOME: this.home });
    atEnd(() => watch.close());
  }

  write(grace: number): void {
    writeFileSync(this.file, text(grace));
  }

  trust(grace: number): Promise<void> {
    return addTrust(this.home, { path: this.file, sha256: digestOf(text(grace)) });
  }

  /** The contents that were taken, in order: one writing may be seen twice, and the same is then taken again. */
  inForce(): number[] {
    return this.taken.filter((grace, index) => grace !== this.taken[index - 1]);
  }

  log(): string {
    return this.logged.join('\n');
  }
}

describe('a gateway with a config of its folder', () => {
  test('goes on with what it has until the new content is trusted', async () => {
    const following = await new Following().start('folder');
    following.write(2);
    await expect.poll(() => following.settings.notices.all()).toMatchObject([{ reason: 'changed' }]);
    expect(following.log()).toContain('is not read again');
    await following.trust(2);
    await expect.poll(() => following.inForce()).toEqual([2]);
    expect(following.settings.notices.all()).toEqual([]);
  });

  test('takes a content that is trusted before it is written', async () => {
    const following = await new Following().start('folder');
    await following.trust(3);
    following.write(3);
    await expect.poll(() => following.inForce()).toEqual([3]);
  });

  test('says so when it is no longer trusted, and goes on', async () => {
    const following = await new Following().start('folder');
    await removeTrust(following.home, [following.file]);
    await expect.poll(() => following.settings.notices.all()).toMatchObject([{ reason: 'untrusted' }]);
    expect(following.log()).toContain('you no longer trust it');
    await following.trust(1);
    await expect.poll(() => following.settings.notices.all()).toEqual([]);
    expect(following.taken).toEqual([]);
  });

  test('sees a change that came between the reading and the watching', async () => {
    const following = new Following();
    mkdirSync(following.home);
    following.write(1);
    await following.read('folder');
    following.write(4);
    await following.trust(4);
    following.follow();
    await expect.poll(() => following.inForce()).toEqual([4]);
  });
});

test.each<ConfigScope>(['named', 'user'])('a gateway whose config is %s needs no trust', async (scope) => {
  const following = await new Following().start(scope);
  following.write(5);
  await expect.poll(() => following.inForce()).toEqual([5]);
  expect(following.settings.notices.all()).toEqual([]);
});

test.skipIf(process.platform === 'win32')('a config that other users can change meanwhile is not read', async () => {
  const following = await new Following().start('named');
  chmodSync(following.file, 0o666);
  following.write(6);
  await expect.poll(() => following.log()).toContain('other users may change it');
  chmodSync(following.file, 0o600);
  following.write(7);
  await expect.poll(() => following.inForce()).toEqual([7]);
});
