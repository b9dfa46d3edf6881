import type { ToolExplanation } from '../../core/providers/tool-explanation.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printable, printJson } from '../terminal/print.ts';
import { otherGateways, splitLines } from '../terminal/shared-lines.ts';
import { withGateway } from '../terminal/with-gateway.ts';

/** Explains whether clients see a tool and, if not, why and what to do. Exits with 1 if they do not. */
export function why(tool: string, options: { readonly config?: string; readonly json?: boolean }): Promise<void> {
  return withGateway({ ...options, name: 'viaduct why' }, async ({ client, daemon }, { home, configPath }) => {
    const explanation = (await client.request('viaduct/why', { tool })) as ToolExplanation;
    if (options.json === true) printJson(explanation);
    else {
      show(explanation);
      for (const line of splitLines(daemon, otherGateways(home, configPath, daemon?.pid))) print(`  gateway: ${line}`);
    }
    return explanation.visible ? EXIT.ok : EXIT.failed;
  });
}

function show({ tool, visible, cause, detail, fix, similar }: ToolExplanation): void {
  print(`${printable(tool)}: ${visible ? 'clients see it' : 'clients do not see it'} (${cause})`);
  print(`  ${printable(detail)}`);
  if (fix !== null) print(`  fix: ${printable(fix)}`);
  if (similar.length > 0) print(`  ${visible ? 'also' : 'similar'}: ${similar.map(printable).join(', ')}`);
}
