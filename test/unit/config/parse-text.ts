import { z } from 'zod';
import { fileModel } from '../../../src/config/file-model.ts';
import { ConfigError } from '../../../src/config/findings/config-error.ts';
import { type ParseOptions, parseConfig } from '../../../src/config/load.ts';
import type { Config } from '../../../src/config/schema.ts';
import { literalSecrets } from '../../../src/config/secrets/literal-secrets.ts';

export const OPTIONS: ParseOptions = {
  path: '/home/me/project/viaduct.yaml',
  env: { HOME: '/home/me', TOKEN: 'tok-123456', EMPTY: '' },
  knownWorkflows: ['xcode-ide', 'checkpoints'],
  workflowOptions: {
    'xcode-ide': z.strictObject({
      tabs: z.int().min(1).default(3),
      mode: z.enum(['fast', 'safe']).default('safe'),
      target: z.union([z.string(), z.strictObject({ name: z.string() })]).default('app'),
    }),
  },
  reservedPrefixes: { xcode_tools: 'workflow xcode-ide' },
};

/** Returns the paths of the secrets that are written out in a config. */
export function literalsOf(text: string, options: Partial<ParseOptions> = {}): string[] {
  return literalSecrets(text, fileModel({ ...OPTIONS, ...options }).keys);
}

export function parse(text: string, options: Partial<ParseOptions> = {}): Config {
  return parseConfig(text, { ...OPTIONS, ...options });
}

export function errorOf(text: string, options: Partial<ParseOptions> = {}): ConfigError {
  try {
    parse(text, options);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error(`No error for:\n${text}`);
}

/** Each issue as `line:column path: message`, with ` -> hint` if there is one. */
export function issuesOf(text: string, options: Partial<ParseOptions> = {}): string[] {
  return errorOf(text, options).issues.map(({ line, column, jsonPath, message, hint }) => {
    const place = jsonPath === '' ? '' : `${jsonPath}: `;
    return `${line}:${column} ${place}${message}${hint === undefined ? '' : ` -> ${hint}`}`;
  });
}
