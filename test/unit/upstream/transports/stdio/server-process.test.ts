import { once } from 'node:events';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signalGroup } from '../../../../../src/process/process-group.ts';
import type { Reaper } from '../../../../../src/process/reaper.ts';
import { spawnTree } from '../../../../../src/process/spawn-tree.ts';
import { ServerProcess } from '../../../../../src/upstream/transports/stdio/server-process.ts';

/** A process that runs a script; what is told of it is in `log`. */
async function running(script: string, { hasContainer = false } = {}) {
  const log: string[] = [];
  const reaper = { newMark: () => 'mark', add: () => undefined, remove: (pid: number) => log.push(`removed ${pid}`) };
  const tree = spawnTree(
    { file: process.execPath, args: ['-e', script], cwd: '/', env: {} },
    reaper as unknown as Reaper,
  );
  onTestFinished(() => signalGroup(tree.child.pid, 'SIGKILL'));
  await tree.running;
  let endContainer = () => {};
  const container = {
    end: async (exitCode: Promise<number | null>) => {
      log.push(`container: exit code ${await exitCode}`);
      await new Promise<void>((resolve) => {
        endContainer = resolve;
      });
    },
  };
  const server = new ServerProcess({
    tree,
    container: hasContainer ? container : undefined,
    reaper: reaper as unknown as Reaper,
  });
  return { server, child: tree.child, log, endContainer: () => endContainer() };
}

const WAITS = 'process.stdin.resume()';

describe('the process of a server', () => {
  test('ends with its input, and nobody needs to remember it', async () => {
    const { server, child, log } = await running(WAITS);
    expect(server.child).toBe(child);
    await server.stop();
    expect([child.exitCode, log]).toEqual([0, [`removed ${child.pid}`]]);
    expect([child.stdout!.destroyed, child.stderr!.destroyed]).toEqual([true, true]);
  });

  test('is gone only once its container is', async () => {
    const { server, child, log, endContainer } = await running(
      'process.stdin.on("end", () => process.exit(7)).resume()',
      {
        hasContainer: true,
      },
    );
    let isStopped = false;
    const stopping = server.stop().then(() => {
      isStopped = true;
    });
    await expect.poll(() => log).toEqual([`removed ${child.pid}`, 'container: exit code 7']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    endContainer();
    await stopping;
  });

  test('can be asked to end', async () => {
    const { server, child } = await running('setInterval(() => {}, 1000)');
    const exit = once(child, 'exit');
    server.terminate();
    expect(await exit).toEqual([null, 'SIGTERM']);
    // It has ended: another process may have its number now.
    const kill = vi.spyOn(process, 'kill');
    onTestFinished(() => kill.mockRestore());
    server.terminate();
    expect(kill).not.toHaveBeenCalled();
    await server.stop();
  });
});
