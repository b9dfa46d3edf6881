import { execFileSync } from 'node:child_process';
import type { Outcome } from './fault.ts';

/** The kinds of faults, by the letter with which their ids begin, in the order of the page. */
const KINDS: readonly (readonly [letter: string, title: string])[] = [
  ['R', 'The process of an upstream'],
  ['A', 'Answers and ids'],
  ['B', 'Bytes on the wire'],
  ['F', 'Floods and lists'],
  ['U', 'Servers at a url'],
  ['T', 'Texts and tools that cannot be trusted'],
  ['K', 'Cases that users of other gateways reported'],
  ['S', 'Clients that share an upstream'],
  ['G', 'The gateway that clients share'],
  ['D', 'The audit'],
  ['H', 'The HTTP endpoint'],
  ['C', 'The config'],
  ['W', 'Agents in the workspace'],
  ['X', 'What upstreams are given'],
  ['L', 'Secrets and logs'],
];

export function summaryOf(outcomes: readonly Outcome[]): string {
  return `${outcomes.filter(({ failure }) => failure === undefined).length} of ${outcomes.length} survived`;
}

/** docs/TRUST.md: what was tried, what must hold, and whether it did. */
export function trustPage(outcomes: readonly Outcome[]): string {
  const failures = outcomes.filter(({ failure }) => failure !== undefined);
  return [
    '# Faults that Viaduct must survive',
    '',
    'Each row below is made on purpose, by `npm run faults`: a real gateway with a real process or a real client that',
    'misbehaves, mostly beside a healthy upstream whose calls must not fail meanwhile. A row is survived when everything',
    'in its third column was seen. The run writes this page; failures are listed first and stay listed until they are',
    'mended. The servers that misbehave are in `fixtures/hostile`; `npx tsx fixtures/servers/hostile/hostile.ts --list` names them.',
    '',
    `**${summaryOf(outcomes)}**, on commit ${commit()} with Node ${process.version} on ${process.platform}-${process.arch}.`,
    '',
    ...(failures.length === 0 ? [] : ['## Not survived', '', ...failures.map(failureLine), '']),
    ...KINDS.flatMap(([letter, title]) => section(title, ofKind(outcomes, letter))),
    ...section(
      'Others',
      outcomes.filter(({ fault }) => !KINDS.some(([letter]) => letter === letterOf(fault.id))),
    ),
  ].join('\n');
}

const letterOf = (id: string): string => id.slice(0, id.indexOf('-'));

const ofKind = (outcomes: readonly Outcome[], letter: string): Outcome[] =>
  outcomes.filter(({ fault }) => letterOf(fault.id) === letter);

function section(title: string, outcomes: readonly Outcome[]): string[] {
  if (outcomes.length === 0) return [];
  const rows = outcomes.map(({ fault, failure }) => {
    const result = failure === undefined ? 'survived' : '**failed**';
    return `| ${[fault.id, fault.what, fault.holds].map(cell).join(' | ')} | ${result} |`;
  });
  return [
    `## ${title}`,
    '',
    '| id | what goes wrong | what holds | result |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ];
}

const failureLine = ({ fault, failure }: Outcome): string => `- **${fault.id}** (${fault.what}): ${cell(failure!)}`;

const cell = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/[<>*_]/g, '\\$&');

function commit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', 'src') === '' ? '' : ' with changes'}`;
}
