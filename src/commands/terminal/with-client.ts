import type { LocalClient } from '../../gateway/client/local-client.ts';
import { openGateway } from '../../gateway/client/open-gateway.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import { workflowsOnly } from '../../gateway/settings/workflows-only.ts';
import { onFault } from './fault.ts';
import { openVisitorSettings } from './open-settings.ts';
import { onSignal } from './shutdown.ts';

/**
 * Runs work with a client of the gateway that runs, else of one for this work alone.
 * @param name how status and audit show the client
 */
export async function withClient<T>(
  settings: VisitorSettings,
  name: string,
  work: (client: LocalClient) => Promise<T>,
): Promise<T> {
  const gateway = await openGateway(settings, process.env, { name });
  onFault({ log: settings.log, stop: () => gateway.close() });
  onSignal(() => gateway.close());
  try {
    return await work(gateway.client);
  } finally {
    await gateway.close();
  }
}

/**
 * Runs work about one workflow with a client of the gateway that runs, else of one for this work alone, which starts no server.
 * @param name how status and audit show the client
 * @throws Error if the workflow is off
 */
export async function withWorkflow<T>(
  workflow: string,
  { config, name }: { readonly config: string | undefined; readonly name: string },
  work: (client: LocalClient) => Promise<T>,
): Promise<T> {
  const found = await openVisitorSettings(config, 'error');
  return withClient(found.config === undefined ? found : workflowsOnly(found, workflow), name, work);
}
