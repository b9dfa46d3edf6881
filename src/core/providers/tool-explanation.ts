/** Explains why clients see a tool, or do not. */
export const EXPLANATION_CAUSES = [
  /** Clients see it. */
  'listed',
  /** `tools.allow` and `tools.deny` of its entry hide it. */
  'filtered',
  /** Official clients would refuse the whole list for it. */
  'unusable',
  /** It changed since it was approved. */
  'pinned',
  /** Its upstream is not connected, or has not said yet what it has. */
  'upstream-not-ready',
  /** Its entry has `disabled: true`. */
  'upstream-disabled',
  /** It belongs to a workflow that is not in `enabledWorkflows`. */
  'workflow-off',
  /** No provider has it. */
  'unknown',
] as const;

export type ExplanationCause = (typeof EXPLANATION_CAUSES)[number];

export interface ToolExplanation {
  /** The name that was asked for. */
  readonly tool: string;
  readonly visible: boolean;
  readonly cause: ExplanationCause;
  /** One or two sentences for people and models. */
  readonly detail: string;
  /** The command, or the edit of the config, that makes it visible; `null` if there is nothing to do. */
  readonly fix: string | null;
  /** The name that clients see, if there is one. */
  readonly publicName: string | null;
  /** Key of the upstream, or name of the workflow, that it belongs to. */
  readonly provider: string | null;
  /** Public names that may have been meant. */
  readonly similar: readonly string[];
}
