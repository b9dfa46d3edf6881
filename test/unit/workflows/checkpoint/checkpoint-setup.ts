import { checkpointOptions } from '../../../../src/workflows/checkpoint/options.ts';
import { checkpointsIn } from '../../../../src/workflows/checkpoint/workflow.ts';
import { MemoryCheckpoints } from '../../../support/stores/memory-checkpoints.ts';
import { workflowSetup } from '../workflow-setup.ts';

/** The workflow with a store in memory, and clients that call it. */
export function checkpointSetup(options: object = {}) {
  const store = new MemoryCheckpoints();
  const parsed = checkpointOptions.parse({ git: 'off', ...options });
  const setup = workflowSetup('checkpoint', (context) => checkpointsIn(store, { ...context, options: parsed }));
  setup.workflow.start();
  return { store, ...setup };
}
