import { asObject } from '../../../core/json/as-object.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { cutText } from '../../../core/text/clean-text.ts';

export interface Plan {
  /** `unknown`, `open`, `in_progress` or `done`. */
  readonly status: string;
  readonly steps: readonly PlanStep[];
}

export interface PlanStep {
  readonly name: string;
  readonly status: string;
}

const UNKNOWN = 'unknown';
const MAX_STEPS = 1_000;
const MAX_NAME = 1_000;

/** Returns the plan of a checkpoint's bundle; `unknown`, without steps, if there is none. */
export function planIn(bundle: JsonObject | undefined): Plan {
  const steps = stepsIn(asObject(bundle)).slice(0, MAX_STEPS);
  return { status: statusOf(steps), steps };
}

/** The plan has one of two spellings: steps with statuses, or plain texts. */
function stepsIn(bundle: Readonly<JsonObject>): PlanStep[] {
  const { steps, current_step: current } = asObject(bundle.plan);
  if (Array.isArray(steps)) return steps.map((step) => toStep(asObject(step), current));
  return listOf(bundle.plan_steps).map((text) => toStep({ text }, undefined));
}

function toStep({ id, text, status }: Readonly<JsonObject>, current: unknown): PlanStep {
  const isCurrent = typeof current === 'string' && current !== '' && (current === id || current === text);
  return {
    name: cutText(typeof text === 'string' ? text : '', MAX_NAME),
    status: typeof status === 'string' ? status : isCurrent ? 'in_progress' : UNKNOWN,
  };
}

function statusOf(steps: readonly PlanStep[]): string {
  const has = (...statuses: string[]) => steps.some(({ status }) => statuses.includes(status));
  if (has('in_progress') || (has('done') && has('open', 'pending'))) return 'in_progress';
  if (has('open', 'pending')) return 'open';
  return has('done') && !has(UNKNOWN) ? 'done' : UNKNOWN;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
