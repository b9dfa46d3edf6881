import { describe, expect, test } from 'vitest';
import { Admission } from '../../../../src/session/local/admission.ts';

const LIMITS = { calls: 3, callsPerClient: 2 };

describe('a call may begin', () => {
  test('while neither its client nor the gateway has as many as it may', () => {
    const admission = new Admission(() => LIMITS);
    admission.onCallBegun('a');
    expect(admission.denial('a')).toBeUndefined();
    admission.onCallBegun('a');
    expect(admission.denial('a')).toBe('client-full');
    expect(admission.denial('b')).toBeUndefined();
    admission.onCallBegun('b');
    expect(admission.denial('b')).toBe('gateway-full');
    admission.onCallEnded('a');
    expect(admission.denial('a')).toBeUndefined();
  });

  test('of clients that cannot be told apart only while the gateway has room', () => {
    const admission = new Admission(() => LIMITS);
    for (let call = 0; call < 2; call++) admission.onCallBegun(undefined);
    expect(admission.denial(undefined)).toBeUndefined();
    admission.onCallBegun(undefined);
    expect(admission.denial(undefined)).toBe('gateway-full');
  });

  test('by the limits of the config as it is now', () => {
    let limits = LIMITS;
    const admission = new Admission(() => limits);
    limits = { calls: 1, callsPerClient: 1 };
    admission.onCallBegun('a');
    expect(admission.denial('a')).toBe('client-full');
  });
});

describe('draining', () => {
  test('lets no call begin and waits for those that run', async () => {
    const admission = new Admission(() => LIMITS);
    admission.onCallBegun('a');
    admission.onCallBegun('a');
    let isDrained = false;
    const drained = admission.drain(60_000).then(() => {
      isDrained = true;
    });
    expect(admission.denial('a')).toBe('stopping');
    admission.onCallEnded('a');
    await Promise.resolve();
    expect(isDrained).toBe(false);
    admission.onCallEnded('a');
    await drained;
  });

  test('has a limit, and needs no time when nothing runs', async () => {
    const admission = new Admission(() => LIMITS);
    await admission.drain(60_000);
    admission.onCallBegun('a');
    await admission.drain(1);
    expect(admission.openCalls).toBe(1);
  });
});
