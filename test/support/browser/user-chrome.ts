import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import { temporaryFolder } from '../gateway.ts';
import { atEnd } from '../shared.ts';
import { CHROMIUM } from './chromium.ts';

/** A browser that a user has open, with remote debugging. */
export interface UserChrome {
  /** `http://127.0.0.1:PORT`. */
  readonly debugUrl: string;
  /** Asks for something under its debug address. */
  json(what: string, method?: string): Promise<any>;
  /** Its tabs. */
  readonly pages: () => Promise<readonly { readonly title: string; readonly url: string }[]>;
  /** Sends a command to one of its targets, past the gateway. */
  command(webSocketUrl: string, method: string, params?: object): Promise<any>;
  /** Stops its work: it listens, but answers nothing more. */
  freeze(): void;
  /** Kills it. */
  kill(): Promise<void>;
}

/** Starts one with a profile of its own, and one tab; it ends with the test. */
export async function startUserChrome(startPage = 'about:blank'): Promise<UserChrome> {
  const profile = temporaryFolder();
  const args = [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--disable-dev-shm-usage',
  ];
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(CHROMIUM!, [...args, ...root, startPage], { stdio: 'ignore', detached: true });
  const exited = once(child, 'exit');
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    await exited;
  };
  atEnd(kill);
  const port = await portIn(path.join(profile, 'DevToolsActivePort'));
  const debugUrl = `http://127.0.0.1:${port}`;
  const json = async (what: string, method = 'GET'): Promise<any> =>
    (await fetch(`${debugUrl}/json${what}`, { method })).json();
  const pages = async () => (await json('')).filter(({ type }: any) => type === 'page');
  await expect.poll(async () => (await pages()).map(({ title }: any) => title)).not.toContain('');
  return {
    debugUrl,
    kill,
    freeze: () => void process.kill(-child.pid!, 'SIGSTOP'),
    json,
    pages,
    command: (url, method, params = {}) => commandTo(url, method, params),
  };
}

/** Waits until the browser has written the port at which it listens. */
async function portIn(file: string): Promise<number> {
  for (;;) {
    const [port, rest] = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    if (rest !== undefined) return Number(port);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function commandTo(url: string, method: string, params: object): Promise<any> {
  const socket = new WebSocket(url);
  await once(socket, 'open');
  const answered = new Promise<any>((resolve, reject) => {
    socket.on('message', (data) => resolve(JSON.parse((data as Buffer).toString('utf8')).result));
    socket.on('close', () => reject(new Error('closed')));
    socket.on('error', reject);
  });
  socket.send(JSON.stringify({ id: 1, method, params }));
  try {
    return await answered;
  } finally {
    socket.terminate();
  }
}
