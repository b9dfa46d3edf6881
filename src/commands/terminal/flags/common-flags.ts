/** Flags that most commands have. */
export const CONFIG_FLAG = ['-c, --config <file>', 'config file (default: see "viaduct config path")'] as const;
export const PROFILE_FLAG = ['--profile <name>', 'use this profile of the config'] as const;
export const JSON_FLAG = ['--json', 'print JSON'] as const;
/** The option of commands that write an entry for the gateway into a file of an agent. */
export const HTTP_FLAG = ['--http', 'connect to the gateway by URL instead of starting a program'] as const;
