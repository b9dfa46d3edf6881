import { expect, test, vi } from 'vitest';
import type { ManagedProcess } from '../../../../src/process/managed/managed-process.ts';
import { ProcessRegistry, type ProcessRegistryOptions } from '../../../../src/workflows/process/process-registry.ts';

interface Shape {
  readonly isRunning?: boolean;
  readonly lastReadAt?: number;
}

/** A process as the registry sees it. */
function processOf(id: string, owner: string, { isRunning = true, lastReadAt = -Infinity }: Shape = {}) {
  return { facts: { id, owner }, isRunning, output: { lastReadAt } } as unknown as ManagedProcess;
}

function registryOf(options: Partial<ProcessRegistryOptions> = {}, ...processes: readonly ManagedProcess[]) {
  const onChanged = vi.fn();
  const registry = new ProcessRegistry({ isShared: false, keepEnded: 2, onChanged, ...options });
  for (const process of processes) registry.add(process);
  onChanged.mockClear();
  return { registry, onChanged };
}

const idsOf = (processes: readonly ManagedProcess[]) => processes.map(({ facts }) => facts.id);

test('a client knows its own processes, or all if they are shared', () => {
  const processes = [processOf('proc-1', 'a'), processOf('proc-2', 'b'), processOf('proc-3', 'a')];
  const { registry: own } = registryOf({}, ...processes);
  expect(idsOf(own.visibleTo('a'))).toEqual(['proc-1', 'proc-3']);
  expect(own.find('proc-2', 'a')).toBeUndefined();
  expect(own.shared()).toEqual([]);
  const { registry: shared } = registryOf({ isShared: true }, ...processes);
  expect(idsOf(shared.visibleTo('a'))).toEqual(['proc-1', 'proc-2', 'proc-3']);
  expect(shared.find('proc-2', 'a')).toBe(processes[1]);
  expect(shared.shared()).toEqual(processes);
});

test('the list changes once with each process that is added or forgotten', () => {
  const { registry, onChanged } = registryOf();
  const process = processOf('proc-1', 'a');
  registry.add(process);
  expect(onChanged).toHaveBeenCalledTimes(1);
  registry.forget(process);
  registry.forget(process);
  expect(onChanged).toHaveBeenCalledTimes(2);
  expect(registry.find('proc-1', 'a')).toBeUndefined();
});

test('of those that have ended the oldest are forgotten, and none that runs', () => {
  const ended = { isRunning: false };
  const { registry, onChanged } = registryOf(
    {},
    processOf('proc-1', 'a'),
    ...['proc-2', 'proc-3', 'proc-4', 'proc-5'].map((id) => processOf(id, 'a', ended)),
  );
  registry.forgetOldest();
  expect(idsOf(registry.visibleTo('a'))).toEqual(['proc-1', 'proc-4', 'proc-5']);
  expect(idsOf(registry.running())).toEqual(['proc-1']);
  registry.forgetOldest();
  expect(onChanged).toHaveBeenCalledTimes(2);
});

test('a process is busy for a while after it was read', () => {
  const now = performance.now();
  const { registry } = registryOf(
    {},
    processOf('proc-1', 'a', { lastReadAt: now }),
    processOf('proc-2', 'a', { lastReadAt: now - 60_000 }),
  );
  expect(registry.busy()).toBe(1);
});
