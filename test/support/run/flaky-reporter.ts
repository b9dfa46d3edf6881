import type { Reporter, TestCase } from 'vitest/node';

/** Lists at the end of a run the tests that passed only when they were run again: each is a race to look into. */
export class FlakyReporter implements Reporter {
  readonly #flaky: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    this.#flaky.push(`${test.module.relativeModuleId} > ${test.fullName}: ${firstError(test)}`);
  }

  onTestRunEnd(): void {
    if (this.#flaky.length === 0) return;
    process.stdout.write(`\nPassed only when run again (${this.#flaky.length}):\n${this.#flaky.join('\n')}\n`);
  }
}

/** The first line of why the test failed the first time. */
function firstError(test: TestCase): string {
  const { errors } = test.result();
  return errors?.[0]?.message.split('\n')[0] ?? 'no message';
}
