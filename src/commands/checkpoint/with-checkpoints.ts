import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import { openVisitorSettings } from '../terminal/open-settings.ts';
import { withClient } from '../terminal/with-client.ts';
import { type AgentFacts, CheckpointClient } from './checkpoint-client.ts';
import { checkpointsOnly } from './checkpoints-only.ts';

/**
 * Runs work with the checkpoint tools in the name of an agent: those of the gateway that runs, else of one for this
 * work alone, which starts no server.
 */
export async function withCheckpoints<T>(
  { config, ...agent }: AgentFacts & { readonly config?: string | undefined },
  work: (checkpoints: CheckpointClient) => Promise<T>,
): Promise<T> {
  return withClient(await checkpointSettings(config), agent.ide, (client) => {
    client.begin();
    return work(new CheckpointClient(client, agent));
  });
}

async function checkpointSettings(config: string | undefined): Promise<VisitorSettings> {
  const settings = await openVisitorSettings(config, 'error');
  return settings.config === undefined ? settings : checkpointsOnly(settings);
}
