import type { ToolSchemaFault } from '../providers/provider-status.ts';
import { cutText } from '../text/clean-text.ts';

const MAX_NAME = 100;

/**
 * Says of which tools the schemas are not valid, a line for each tool.
 * @param faults in the order of the tools
 * @param most lines; one more says how many tools are left out
 */
export function schemaFaultLines(faults: readonly ToolSchemaFault[], most: number): string[] {
  const byTool = new Map<string, ToolSchemaFault[]>();
  for (const fault of faults) byTool.set(fault.tool, [...(byTool.get(fault.tool) ?? []), fault]);
  const lines = [...byTool].map(
    ([tool, [first, ...others]]) =>
      `the schema of tool "${cutText(tool, MAX_NAME)}" is not valid: ${first!.path} ${first!.fault}${alsoIn(others.length)}`,
  );
  const left = lines.length - most;
  return left <= 0 ? lines : [...lines.slice(0, most), `${left} more tools have schemas that are not valid`];
}

const alsoIn = (count: number): string =>
  count === 0 ? '' : ` (and ${count} more ${count === 1 ? 'place' : 'places'})`;
