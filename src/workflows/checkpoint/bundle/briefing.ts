import { isObject } from '../../../core/json/as-object.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { cutText } from '../../../core/text/clean-text.ts';
import { atFidelity } from './fidelity.ts';
import { objectOf } from './json.ts';
import { line } from './one-line.ts';
import { type OpenTasks, renderOpenTasks } from './open-tasks.ts';
import type { Fidelity, FidelityReport } from './schema.ts';
import { currentStepOf } from './summary.ts';

/** Long texts are cut in a briefing; the whole of them is a `load_checkpoint` away. */
const MAX_TEXT = 4_000;
const MAX_ITEMS = 100;

type Item = JsonObject & { readonly id: string };

/**
 * Returns the bundle as a text to begin with, for an agent that can use `level` of it. Tasks of the project have a section
 * of their own.
 */
export function renderBriefing(bundle: JsonObject, level: Fidelity, openTasks?: OpenTasks): string {
  const { bundle: trimmed, fidelity } = atFidelity(bundle, level);
  const sections = [
    opening(trimmed),
    section('Summary', paragraph(objectOf(trimmed.conversation).summary)),
    section('Plan', plan(trimmed)),
    section('Todos', items(trimmed.todos, todoLine)),
    openTasks === undefined ? '' : renderOpenTasks(openTasks),
    section('Decisions', items(trimmed.decisions, decisionLine)),
    section('Git', git(trimmed)),
    section('Workspace', workspace(objectOf(trimmed.workspace))),
    section('Instructions', items(trimmed.instructions, instruction, '\n\n')),
    section(
      'Memories',
      items(trimmed.memories, (item) => `- ${line(item.text)}`),
    ),
    section('Specs', items(trimmed.specs, spec, '\n\n')),
    section('Attachments', items(trimmed.attachments, attachment)),
    section('Last turns', turns(objectOf(trimmed.conversation).last_n_turns)),
    closing(fidelity),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

function opening(bundle: JsonObject): string {
  const title = `# Checkpoint of ${line(bundle.project_id ?? 'this project')}`;
  const saved = `Saved ${line(bundle.updated_at ?? 'at an unknown time')} by ${line(bundle.last_source_ide ?? 'an unknown agent')}, ${line(bundle.bundle_id ?? 'without a number')}.`;
  const advice =
    'This is the state in which the work was left. Check it against the files before you rely on it, then go on from there.';
  return `${title}\n\n${saved} ${advice}`;
}

function closing({ left_out: leftOut }: FidelityReport): string {
  return leftOut.length === 0 ? '' : `Not in this briefing: ${leftOut.join(', ')}.`;
}

function section(title: string, body: string): string {
  return body === '' ? '' : `## ${title}\n\n${body}`;
}

function plan(bundle: JsonObject): string {
  const { summary, steps } = objectOf(bundle.plan);
  const plain = (bundle.plan_steps ?? []) as readonly string[];
  const current = currentStepOf(bundle);
  const parts = [
    paragraph(summary),
    current === '' ? '' : `Now at: ${line(current)}`,
    ((steps ?? []) as readonly JsonObject[]).map(todoLine).join('\n'),
    plain.map((text, index) => `${index + 1}. ${line(text)}`).join('\n'),
  ];
  return parts.filter((text) => text !== '').join('\n\n');
}

const BOXES: Readonly<Record<string, string>> = { done: '[x]', in_progress: '[~]' };

function todoLine(item: JsonObject): string {
  const box = BOXES[String(item.status)] ?? '[ ]';
  const id = typeof item.id === 'string' ? ` ${line(item.id)}:` : '';
  return `- ${box}${id} ${line(item.text)}`;
}

function decisionLine(item: Item): string {
  const why = typeof item.rationale === 'string' ? ` Because: ${line(item.rationale)}` : '';
  return `- ${line(item.id)}: ${line(item.text)}${why}`;
}

function git(bundle: JsonObject): string {
  const state = objectOf(bundle.git ?? objectOf(bundle.project).git);
  const dirty = (state.dirty_files ?? []) as readonly string[];
  const facts = ['remote', 'branch', 'head'].filter((key) => typeof state[key] === 'string');
  const lines = facts.map((key) => `- ${key}: ${line(state[key])}`);
  if (dirty.length > 0) lines.push(`- not committed: ${listed(dirty)}`);
  return [...lines, diff('Staged', state.staged_diff), diff('Not staged', state.unstaged_diff)]
    .filter((text) => text !== '')
    .join('\n');
}

function diff(title: string, text: unknown): string {
  return typeof text === 'string' && text !== '' ? `\n${title}:\n\n${fenced(text, 'diff')}` : '';
}

function workspace(state: JsonObject): string {
  const { cursor } = state;
  const lines: string[] = [];
  if (typeof state.active_file === 'string') lines.push(`- active file: ${line(state.active_file)}`);
  if (isObject(cursor)) {
    lines.push(`- cursor: ${line(cursor.path)}:${line(cursor.line)}:${line(cursor.col)}`);
  }
  const open = (state.open_files ?? []) as readonly string[];
  if (open.length > 0) lines.push(`- open: ${listed(open)}`);
  return lines.join('\n');
}

function instruction(item: Item): string {
  return `### ${line(item.source_path ?? item.id)}\n\n${fenced(String(item.content), 'markdown')}`;
}

function spec(item: Item): string {
  const parts = ['requirements_md', 'design_md', 'tasks_md']
    .filter((key) => typeof item[key] === 'string' && item[key] !== '')
    .map((key) => fenced(String(item[key]), 'markdown'));
  return [`### ${line(item.title ?? item.id)}`, ...parts].join('\n\n');
}

function attachment(item: Item): string {
  return `- ${line(item.name ?? item.id)}: ${line(item.uri)}`;
}

function turns(value: unknown): string {
  return ((value ?? []) as readonly JsonObject[])
    .map((turn) => `**${line(turn.role)}**\n\n${fenced(turnText(turn.content), '')}`)
    .join('\n\n');
}

function turnText(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as readonly JsonObject[])
    .map(({ type, text }) => (typeof text === 'string' ? text : `(${String(type)})`))
    .join('\n');
}

function items(value: unknown, render: (item: Item) => string, separator = '\n'): string {
  const all = (value ?? []) as readonly Item[];
  const shown = all.slice(-MAX_ITEMS).map(render);
  if (shown.length < all.length) shown.unshift(`(${all.length - shown.length} earlier ones are not shown)`);
  return shown.join(separator);
}

function listed(names: readonly string[]): string {
  const more = names.length > MAX_ITEMS ? ` and ${names.length - MAX_ITEMS} more` : '';
  return `${names.slice(0, MAX_ITEMS).map(line).join(', ')}${more}`;
}

function paragraph(value: unknown): string {
  return typeof value === 'string' ? cutText(value.trim(), MAX_TEXT) : '';
}

/** Returns the text between more backticks than it has in a row. */
function fenced(text: string, language: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, ticks) => Math.max(most, ticks.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${cutText(text.trimEnd(), MAX_TEXT)}\n${fence}`;
}
