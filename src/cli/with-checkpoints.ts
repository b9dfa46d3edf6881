import { type AgentFacts, CheckpointClient } from '../app/checkpoint/checkpoint-client.ts';
import { checkpointsOnly } from '../app/checkpoint/checkpoints-only.ts';
import { openGateway } from '../app/open-gateway.ts';
import type { VisitorSettings } from '../app/settings/visitor-settings.ts';
import { openVisitorSettings } from './config/open-settings.ts';
import { onFault } from './fault.ts';
import { onSignal } from './shutdown.ts';

/**
 * Runs work with the checkpoint tools in the name of an agent: those of the gateway that runs, else of one for this
 * work alone, which starts no server.
 */
export async function withCheckpoints<T>(
  { config, ...agent }: AgentFacts & { readonly config?: string | undefined },
  work: (checkpoints: CheckpointClient) => Promise<T>,
): Promise<T> {
  const settings = await checkpointSettings(config);
  const gateway = await openGateway(settings, process.env, { name: agent.ide });
  gateway.client.begin();
  onFault({ log: settings.log, stop: () => gateway.close() });
  onSignal(() => gateway.close());
  try {
    return await work(new CheckpointClient(gateway.client, agent));
  } finally {
    await gateway.close();
  }
}

async function checkpointSettings(config: string | undefined): Promise<VisitorSettings> {
  const settings = await openVisitorSettings(config, 'error');
  return settings.config === undefined ? settings : checkpointsOnly(settings);
}
