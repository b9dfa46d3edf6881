import { defineCommand } from '../define.ts';
import { CONFIG_FLAG } from '../terminal/flags/common-flags.ts';

export const codegenCommand = defineCommand({
  name: 'codegen',
  description: "print Zod schemas of the tools' arguments as a TypeScript module",
  configure: (command) => {
    command
      .option(...CONFIG_FLAG)
      .option('-u, --upstream <key>', 'only tools of this upstream')
      .action(async (options) => (await import('./codegen.ts')).codegen(options));
  },
});
