import type { Descriptor } from '../../../core/providers/provider.ts';
import type { ToolSchemaFault } from '../../../core/providers/provider-status.ts';
import type { Log } from '../../../telemetry/log.ts';
import { logFirst } from '../entries/log-first.ts';

/** Faults of one upstream that are kept for its status. */
const MAX_KEPT = 300;

/** The places where schemas of an upstream's tools are not valid; each is logged once. */
export class FaultySchemas {
  readonly #log: Log;
  #faults: readonly ToolSchemaFault[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  get faults(): readonly ToolSchemaFault[] {
    return this.#faults;
  }

  /** Takes the tools that the upstream has now. */
  note(tools: readonly Descriptor[]): void {
    const faults = tools.flatMap(({ ownName, schemaFaults = [] }) =>
      schemaFaults.map((fault): ToolSchemaFault => ({ tool: ownName, ...fault })),
    );
    const before = new Set(this.#faults.map(wordsOf));
    this.#faults = faults.slice(0, MAX_KEPT);
    logFirst(
      this.#faults.filter((fault) => !before.has(wordsOf(fault))),
      (fault) => this.#log.warn({ event: 'schema-fault', ...fault }, 'the schema of a tool is not valid JSON Schema'),
      (more) => this.#log.warn({ event: 'schema-fault', more }, 'more schemas of tools are not valid'),
    );
  }
}

const wordsOf = ({ tool, path, fault }: ToolSchemaFault): string => JSON.stringify([tool, path, fault]);
