import { zodModuleFor } from '../../app/codegen.ts';
import type { ToolLine } from '../../app/gateway-status.ts';
import { EXIT } from '../exit-codes.ts';
import { printError, printExact } from '../print.ts';
import { requireProvider } from '../require-provider.ts';
import { withGateway } from '../with-gateway.ts';

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
