/** The result of `ml_probe`, as far as it is shown. */
export interface ProbeList {
  readonly results: readonly {
    readonly id: string;
    readonly category: string;
    readonly response: string;
    readonly passed: boolean;
    readonly durationMs: number;
  }[];
}

/** The probes of one backend. */
export interface Column extends ProbeList {
  readonly backend: string;
}

/** Returns the rows of a table: a head, a row for each probe, and at last how many were passed and how long it took. */
export function probeTable(columns: readonly Column[]): string[][] {
  const rows = columns[0]!.results.map(({ id, category }, at) => [
    id,
    category,
    ...columns.map(({ results }) => cellOf(results[at]!)),
  ]);
  return [['id', 'category', ...columns.map(({ backend }) => backend)], ...rows, ['passed', '', ...columns.map(sumOf)]];
}

function cellOf({ passed, response, durationMs }: ProbeList['results'][number]): string {
  const outcome = passed ? 'passed' : response.startsWith('error: ') ? 'error' : 'failed';
  return `${outcome}  ${seconds(durationMs)}`;
}

function sumOf({ results }: Column): string {
  const passed = results.filter((result) => result.passed).length;
  const total = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `${passed} of ${results.length}  ${seconds(total)}`;
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
