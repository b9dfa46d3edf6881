import type { ToolLine } from '../../gateway/gateway-status.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { printError, printExact } from '../terminal/print.ts';
import { requireProvider } from '../terminal/require-provider.ts';
import { withGateway } from '../terminal/with-gateway.ts';
import { zodModuleFor } from './generate.ts';

/** Prints a TypeScript module with a Zod schema for the arguments of each tool. */
export function codegen(options: { readonly config?: string; readonly upstream?: string }): Promise<void> {
  return withGateway({ ...options, name: 'viaduct codegen' }, async ({ client }, settings) => {
    requireProvider(settings, options.upstream);
    const { tools } = (await client.request('viaduct/tools')) as { tools: ToolLine[] };
    const chosen = options.upstream === undefined ? tools : tools.filter((tool) => tool.provider === options.upstream);
    if (chosen.length === 0) {
      printError('There are no tools to write schemas for. See: viaduct status');
      return EXIT.failed;
    }
    printExact(zodModuleFor(chosen));
    return EXIT.ok;
  });
}
