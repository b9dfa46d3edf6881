import { type OpenGateway, openGateway } from '../../gateway/client/open-gateway.ts';
import type { VisitorSettings } from '../../gateway/settings/visitor-settings.ts';
import { onFault } from './fault.ts';
import { openVisitorSettings } from './open-settings.ts';
import { requireProfile } from './require-profile.ts';
import { onSignal } from './shutdown.ts';

interface WithGatewayOptions {
  /** The command, as status and audit show it. */
  readonly name: string;
  readonly config?: string;
  readonly profile?: string;
}

/**
 * Runs a command's work with a connection to the gateway: the one that runs, or one for this command alone. Sets the
 * exit code that the work gives.
 */
export async function withGateway(
  options: WithGatewayOptions,
  work: (gateway: OpenGateway, settings: VisitorSettings) => Promise<number>,
): Promise<void> {
  const settings = await openVisitorSettings(options.config, 'error');
  requireProfile(settings, options.profile);
  const gateway = await openGateway(settings, process.env, {
    name: options.name,
    folder: process.cwd(),
    profile: options.profile,
  });
  onFault({ log: settings.log, stop: () => gateway.close() });
  onSignal(() => gateway.close());
  try {
    process.exitCode = await work(gateway, settings);
  } finally {
    await gateway.close();
  }
}
