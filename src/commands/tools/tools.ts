import type { ToolLine } from '../../gateway/gateway-status.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printable, printError, printJson, printTable } from '../terminal/print.ts';
import { requireProvider } from '../terminal/require-provider.ts';
import { withGateway } from '../terminal/with-gateway.ts';

const DESCRIPTION_WIDTH = 80;

/** Lists the tools that clients see, all or those of one upstream. */
export function tools(options: {
  readonly config?: string;
  readonly profile?: string;
  readonly json?: boolean;
  readonly upstream?: string;
}): Promise<void> {
  return withGateway({ ...options, name: 'viaduct tools' }, async ({ client }, settings) => {
    requireProvider(settings, options.upstream);
    const { tools: all } = (await client.request('viaduct/tools')) as { tools: ToolLine[] };
    const chosen = options.upstream === undefined ? all : all.filter((tool) => tool.provider === options.upstream);
    if (options.json === true) printJson(chosen);
    else show(chosen);
    if (chosen.length > 0) return EXIT.ok;
    printError(
      options.upstream === undefined
        ? 'There are no tools. See: viaduct status'
        : `"${options.upstream}" has no tools. See: viaduct status`,
    );
    return EXIT.failed;
  });
}

function show(chosen: readonly ToolLine[]): void {
  printTable(chosen.map(({ name, title, description }) => [name, shortened(description ?? title ?? '')]));
  if (chosen.length > 0) print(`${chosen.length} tools`);
}

function shortened(text: string): string {
  const line = printable(text.split('\n')[0] ?? '');
  return line.length <= DESCRIPTION_WIDTH ? line : `${line.slice(0, DESCRIPTION_WIDTH - 1)}…`;
}
