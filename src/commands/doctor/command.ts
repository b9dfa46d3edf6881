import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const doctorCommand = defineCommand({
  name: 'doctor',
  description: 'check everything the gateway needs, try each upstream once, and explain how to fix problems',
  configure: (command) => {
    command
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./doctor.ts')).doctor(options));
  },
});
