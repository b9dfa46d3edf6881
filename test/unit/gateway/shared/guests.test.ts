import { expect, test } from 'vitest';
import { Guests } from '../../../../src/gateway/shared/guests.ts';

const endless = { arrive: () => true, leave: () => undefined };

test('processes get the SSH agent of the newest client that is still there', () => {
  const env: Record<string, string | undefined> = { SSH_AUTH_SOCK: '/of/starter' };
  const guests = new Guests(endless, env);
  const [first, second, third] = [guests.arrived()!, guests.arrived()!, guests.arrived()!];
  first.introduced({ sshAuthSock: '/first' });
  second.introduced({ sshAuthSock: '/second' });
  third.introduced({});
  expect(env.SSH_AUTH_SOCK).toBe('/second');
  second.left();
  expect(env.SSH_AUTH_SOCK).toBe('/first');
  first.left();
  expect(env.SSH_AUTH_SOCK).toBe('/of/starter');
});

test('nobody is let in after the end', () => {
  const guests = new Guests({ arrive: () => false, leave: () => undefined }, {});
  expect(guests.arrived()).toBeUndefined();
});
