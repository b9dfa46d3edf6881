import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { cutText } from '../../../core/text/clean-text.ts';
import { objectOf } from './json.ts';

const MAX_LENGTH = 500;

interface Entry {
  readonly text: string;
  readonly status?: string | null;
}

/** Returns a few sentences on a task whose agent left no summary. Empty if there is nothing to say. */
export function summaryOf(bundle: JsonObject): string {
  const plan = objectOf(bundle.plan);
  const open = entriesOf(bundle.todos).filter(({ status }) => status !== 'done');
  const sentences = [
    sentence('Goal', textOf(plan.summary)),
    sentence('Now at', currentStepOf(bundle)),
    sentence('Open', texts(open.slice(0, 3))),
    sentence('Decided', texts(entriesOf(bundle.decisions).slice(-3))),
  ];
  return cutText(sentences.filter((text) => text !== '').join(' '), MAX_LENGTH);
}

/** Returns the step of the plan that is under way, in words. */
export function currentStepOf(bundle: JsonObject): string {
  const plan = objectOf(bundle.plan);
  const current = textOf(plan.current_step);
  const steps = (plan.steps ?? []) as readonly (Entry & { readonly id?: string | null })[];
  return steps.find(({ id }) => id === current && current !== '')?.text ?? current;
}

function entriesOf(value: unknown): readonly Entry[] {
  return (value ?? []) as readonly Entry[];
}

function texts(entries: readonly Entry[]): string {
  return entries.map(({ text }) => cutText(text.trim(), 100)).join('; ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

function sentence(label: string, text: string): string {
  return text === '' ? '' : `${label}: ${cutText(text, 160).replace(/\.$/, '')}.`;
}
