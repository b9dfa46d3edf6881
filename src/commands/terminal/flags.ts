/** Flags that most commands have. */
export const CONFIG_FLAG = ['-c, --config <file>', 'config file (default: see "viaduct config path")'] as const;
export const PROFILE_FLAG = ['--profile <name>', 'what clients of this profile of the config see'] as const;
export const JSON_FLAG = ['--json', 'print JSON for programs'] as const;
