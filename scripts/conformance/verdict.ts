/** Compares what a suite found with what it found without the gateway, and with what is expected. Pure. */
import type { Check } from './run-suite.ts';

export interface Loss {
  /** Scenario and check. */
  readonly name: string;
  /** The outcome of a check that has to pass; `missing` if it was not run. */
  readonly status: string;
  readonly message: string | undefined;
  /** Why that is accepted, if it is. */
  readonly reason: string | undefined;
}

export interface Verdict {
  readonly passed: number;
  readonly failed: number;
  readonly warnings: number;
  readonly losses: readonly Loss[];
  /** The checks that are listed as expected failures, but pass. */
  readonly stale: readonly string[];
}

export interface Expectation {
  readonly reason: string;
  /** It may pass as well. */
  readonly isUnsteady: boolean;
}

/** By `scenario/check`, or by scenario for all of its checks. */
export type Expected = Readonly<Record<string, Expectation>>;

/** `baseline` is what was found without the gateway: all that passed has to pass. Nothing may fail in any case. */
export function judge(checks: readonly Check[], expected: Expected, baseline: readonly Check[]): Verdict {
  const losses = [...new Set([...passing(baseline), ...failing(checks)])].flatMap((name) => {
    const loss = lossOf(name, checks);
    return loss === undefined ? [] : [{ ...loss, reason: (expected[name] ?? expected[scenarioOf(name)])?.reason }];
  });
  const lost = new Set(losses.flatMap(({ name }) => [name, scenarioOf(name)]));
  return {
    passed: count(checks, 'SUCCESS'),
    failed: count(checks, 'FAILURE'),
    warnings: count(checks, 'WARNING'),
    losses,
    stale: Object.entries(expected)
      .filter(([name, { isUnsteady }]) => !isUnsteady && !lost.has(name))
      .map(([name]) => name),
  };
}

export function isGood({ losses, stale }: Verdict): boolean {
  return stale.length === 0 && losses.every(({ reason }) => reason !== undefined);
}

/** The worst that became of a check, unless it passed. */
function lossOf(name: string, checks: readonly Check[]): Omit<Loss, 'reason'> | undefined {
  const made = checks.filter((check) => check.name === name);
  const bad = made.find(isBad);
  if (bad !== undefined) return { name, status: bad.status, message: bad.message };
  if (made.some(({ status }) => status === 'SUCCESS')) return undefined;
  return { name, status: made[0]?.status ?? 'missing', message: made[0]?.message };
}

function passing(checks: readonly Check[]): string[] {
  const bad = new Set(failing(checks));
  return checks.filter(({ name, status }) => status === 'SUCCESS' && !bad.has(name)).map(({ name }) => name);
}

function failing(checks: readonly Check[]): string[] {
  return checks.filter(isBad).map(({ name }) => name);
}

function isBad({ status }: Check): boolean {
  return status === 'FAILURE' || status === 'WARNING';
}

function count(checks: readonly Check[], status: string): number {
  return checks.filter((check) => check.status === status).length;
}

function scenarioOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}
