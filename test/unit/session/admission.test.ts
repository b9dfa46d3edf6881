import { describe, expect, test } from 'vitest';
import { Admission } from '../../../src/session/admission.ts';

const LIMITS = { calls: 3, callsPerClient: 2 };

describe('a call may begin', () => {
  test('while neither its client nor the gateway has as many as it may', () => {
    const admission = new Admission(() => LIMITS);
    expect(admission.denial(1)).toBeUndefined();
    expect(admission.denial(2)).toBe('client-full');
    for (let call = 0; call < 3; call++) admission.onCallBegun();
    expect(admission.denial(0)).toBe('gateway-full');
    admission.onCallEnded();
    expect(admission.denial(0)).toBeUndefined();
  });

  test('by the limits of the config as it is now', () => {
    let limits = LIMITS;
    const admission = new Admission(() => limits);
    limits = { calls: 1, callsPerClient: 1 };
    expect(admission.denial(1)).toBe('client-full');
  });
});

describe('draining', () => {
  test('lets no call begin and waits for those that run', async () => {
    const admission = new Admission(() => LIMITS);
    admission.onCallBegun();
    admission.onCallBegun();
    let isDrained = false;
    const drained = admission.drain(60_000).then(() => {
      isDrained = true;
    });
    expect(admission.denial(0)).toBe('stopping');
    admission.onCallEnded();
    await Promise.resolve();
    expect(isDrained).toBe(false);
    admission.onCallEnded();
    await drained;
  });

  test('has a limit, and needs no time when nothing runs', async () => {
    const admission = new Admission(() => LIMITS);
    await admission.drain(60_000);
    admission.onCallBegun();
    await admission.drain(1);
    expect(admission.openCalls).toBe(1);
  });
});
