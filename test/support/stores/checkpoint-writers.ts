import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

export interface Place {
  readonly home: string;
  readonly url?: string | undefined;
}

export interface WriterPlan {
  readonly project: string;
  readonly name: string;
  /** 0 has no end. */
  readonly count: number;
  readonly atOnce?: number;
}

const wordsFor = ({ home, url = '' }: Place, { project, name, count, atOnce = 1 }: WriterPlan): string[] => [
  'dist-fixtures/checkpoint-writer.js',
  home,
  url,
  project,
  name,
  String(count),
  String(atOnce),
];

/** The writes of another process that the store has acknowledged. */
export async function writeElsewhere(place: Place, plan: WriterPlan): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, wordsFor(place, plan));
  return stdout.trim().split('\n');
}

/** Another process that writes until it is killed, which happens `afterMs` after its first word. */
export async function writeUntilKilled(place: Place, plan: WriterPlan, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, wordsFor(place, plan), { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    if (text === '') setTimeout(() => child.kill('SIGKILL'), afterMs);
    text += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  // The text after the last line feed was cut off.
  return text.split('\n').slice(0, -1);
}
