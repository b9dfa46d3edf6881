import { type ConfigKey, configKeys } from './keys/config-keys.ts';
import { type ConfigShapes, configFileSchema } from './schema.ts';
import { secretNames } from './secrets/secret-names.ts';

/** Everything that is known about the keys of a config file. */
export interface FileModel {
  readonly schema: ReturnType<typeof configFileSchema>;
  readonly keys: readonly ConfigKey[];
  /** The names of keys whose values are masked where the file is quoted. */
  readonly secretNames: ReadonlySet<string>;
}

/** Returns what is known about the keys of a config file with these workflows and transports. */
export function fileModel(shapes: ConfigShapes): FileModel {
  const schema = configFileSchema(shapes);
  const keys = configKeys(schema);
  return { schema, keys, secretNames: secretNames(keys) };
}
