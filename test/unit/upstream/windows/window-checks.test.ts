import { afterEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import { WindowChecks } from '../../../../src/upstream/windows/window-checks.ts';
import { sendJson, startHttpServer } from '../../../support/http/http-server.ts';

const CONTEXT = { env: {}, log: createLog({ level: 'silent' }) };
const CALL_MS = 60_000;

afterEach(() => void vi.useRealTimers());

/** A window whose answers wait until they are let go. */
async function busyWindow() {
  let letGo: () => void = () => undefined;
  const free = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let onAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    onAsked = resolve;
  });
  let questions = 0;
  const { port } = await startHttpServer(async ({ path }, response) => {
    questions += 1;
    onAsked();
    await free;
    if (path === '/mcp/list_tools') sendJson(response, []);
    else sendJson(response, { result: { environment: { workspaceRoot: '/work' } } });
  });
  return { port, asked, letGo, questions: () => questions };
}

test('a busy window may take as long as a call to say which folder it has open', async () => {
  const window = await busyWindow();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = new WindowChecks(CALL_MS, CONTEXT).ask(window.port, Date.now() + CALL_MS);
  await window.asked;
  vi.advanceTimersByTime(CALL_MS - 2_000);
  window.letGo();
  expect(await answer).toMatchObject({ port: window.port, workspace: '/work' });
});

test('and no longer', async () => {
  const window = await busyWindow();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const answer = new WindowChecks(CALL_MS, CONTEXT).ask(window.port, Date.now() + CALL_MS);
  await window.asked;
  vi.advanceTimersByTime(CALL_MS + 1);
  expect(await answer).toBeUndefined();
});

test('many calls that wait for one window ask it twice at most', async () => {
  const window = await busyWindow();
  const checks = new WindowChecks(CALL_MS, CONTEXT);
  const answers = Array.from({ length: 50 }, () => checks.ask(window.port, Date.now() + CALL_MS));
  await window.asked;
  expect(window.questions()).toBe(1);
  window.letGo();
  for (const answer of await Promise.all(answers)) expect(answer).toMatchObject({ workspace: '/work' });
  // One for the list of tools, one for the folder, each twice.
  expect(window.questions()).toBe(4);
});
