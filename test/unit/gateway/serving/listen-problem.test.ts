import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../../../../src/core/addresses/listen.ts';
import { listenProblem } from '../../../../src/gateway/serving/listen-problem.ts';

const ADDRESS = { host: '127.0.0.1', port: 80 };
const problem = (code: string) => listenProblem(Object.assign(new Error('x'), { code }), ADDRESS).message;

test('a port that is taken is named, with what to do', async () => {
  const first = createServer();
  onTestFinished(() => void first.close());
  await listen(first, { host: '127.0.0.1', port: 0 }, () => undefined);
  const { port } = first.address() as { port: number };
  const error = await listen(createServer(), { host: '127.0.0.1', port }, () => undefined).catch((thrown) => thrown);
  const { message } = listenProblem(error, { host: '127.0.0.1', port });
  expect(message).toContain(`port ${port} of 127.0.0.1 is used by another program`);
  expect(message).toContain('viaduct serve --port 0');
});

test('a port that needs rights, an address that is not here, and anything else', () => {
  expect(problem('EACCES')).toContain('may not listen on port 80');
  expect(problem('EADDRNOTAVAIL')).toContain('has no address 127.0.0.1: correct --host');
  expect(problem('EBADF')).toBe('cannot listen on 127.0.0.1:80: x');
});
