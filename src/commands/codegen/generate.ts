import type { ToolLine } from '../../gateway/gateway-status.ts';
import { generateZodModule } from '../../schema/codegen/codegen.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** Returns the source of a module with a Zod schema for each tool's arguments. It is printed, never run here. */
export function zodModuleFor(tools: readonly ToolLine[]): string {
  return generateZodModule(tools, { maxBytes: MAX_BYTES });
}
