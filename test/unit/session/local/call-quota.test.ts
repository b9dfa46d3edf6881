import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CallQuota } from '../../../../src/session/local/call-quota.ts';

const LIMITS = { calls: 3, callsPerClient: 2 };

describe('a call may begin', () => {
  test('while neither its client nor the gateway has as many as it may', () => {
    const quota = new CallQuota(() => LIMITS);
    quota.onCallBegun('a');
    expect(quota.denial('a')).toBeUndefined();
    quota.onCallBegun('a');
    expect(quota.denial('a')).toBe('client-full');
    expect(quota.denial('b')).toBeUndefined();
    quota.onCallBegun('b');
    expect(quota.denial('b')).toBe('gateway-full');
    quota.onCallEnded('a');
    expect(quota.denial('a')).toBeUndefined();
  });

  test('of clients that cannot be told apart only while the gateway has room', () => {
    const quota = new CallQuota(() => LIMITS);
    for (let call = 0; call < 2; call++) quota.onCallBegun(undefined);
    expect(quota.denial(undefined)).toBeUndefined();
    quota.onCallBegun(undefined);
    expect(quota.denial(undefined)).toBe('gateway-full');
  });

  test('after one of several calls has ended, and the others still count', () => {
    const quota = new CallQuota(() => LIMITS);
    quota.onCallBegun('a');
    quota.onCallBegun('a');
    quota.onCallEnded('a');
    quota.onCallBegun('a');
    expect(quota.denial('a')).toBe('client-full');
  });

  test('by the limits of the config as it is now', () => {
    let limits = LIMITS;
    const quota = new CallQuota(() => limits);
    limits = { calls: 1, callsPerClient: 1 };
    quota.onCallBegun('a');
    expect(quota.denial('a')).toBe('client-full');
  });
});

describe('draining', () => {
  test('lets no call begin and waits for those that run', async () => {
    const quota = new CallQuota(() => LIMITS);
    quota.onCallBegun('a');
    quota.onCallBegun('a');
    let isDrained = false;
    const drained = quota.drain(60_000).then(() => {
      isDrained = true;
    });
    expect(quota.denial('a')).toBe('stopping');
    quota.onCallEnded('a');
    await new Promise(setImmediate);
    expect(isDrained).toBe(false);
    quota.onCallEnded('a');
    await drained;
  });

  test('leaves no timer behind once the last call has ended', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const quota = new CallQuota(() => LIMITS);
    quota.onCallBegun('a');
    const drained = quota.drain(60_000);
    expect(vi.getTimerCount()).toBe(1);
    quota.onCallEnded('a');
    await drained;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('has a limit, and needs no time when nothing runs', async () => {
    const quota = new CallQuota(() => LIMITS);
    await quota.drain(60_000);
    quota.onCallBegun('a');
    await quota.drain(1);
    expect(quota.openCalls).toBe(1);
  });
});
