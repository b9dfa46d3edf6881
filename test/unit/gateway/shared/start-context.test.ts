import { expect, test } from 'vitest';
import { differences, startContext, startContextIn } from '../../../../src/gateway/shared/start-context.ts';

test('two starts of one user in the same surroundings do not differ', () => {
  const context = startContext({ PATH: '/bin' });
  expect(differences(context, startContext({ PATH: '/usr/bin' }))).toEqual([]);
  expect(differences(context, startContextIn(JSON.parse(JSON.stringify(context))))).toEqual([]);
});

test.each(['APP_SANDBOX_CONTAINER_ID', 'CODEX_SANDBOX', 'SANDBOX_RUNTIME', 'container', 'FLATPAK_ID', 'SNAP'])(
  'the sandbox that sets %s differs from none',
  (name) => {
    expect(differences(startContext({}), startContext({ [name]: 'x' }))).toEqual([`variable ${name}`]);
  },
);

test.skipIf(process.platform !== 'linux')('the facts of the kernel are in it', () => {
  const context = startContext({});
  for (const name of ['uid', 'cgroup', 'mnt namespace', 'net namespace', 'NoNewPrivs', 'Seccomp'])
    expect(context).toHaveProperty([name]);
});

test('a record that says nothing differs in everything', () => {
  const context = startContext({});
  expect(differences(startContextIn(undefined), context)).toEqual(Object.keys(context));
});
