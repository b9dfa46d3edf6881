import { EXAMPLE } from '../example.ts';
import { SCHEMA_VERSION } from '../schema.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import { type Finding, valueAt } from './finding.ts';

// These faults make a text no config at all. Each is reported alone, because all other faults would follow from it.

export function nulFindings(source: string): Finding[] | undefined {
  const at = source.indexOf('\0');
  if (at === -1) return undefined;
  return [{ path: [], at, message: 'a NUL character', hint: 'is this a text file? Save it as UTF-8' }];
}

export function emptyFindings({ value }: YamlDocument): Finding[] | undefined {
  if (value !== null) return undefined;
  return [{ path: [], at: 0, message: 'the file is empty', hint: `a config that works:\n${EXAMPLE}` }];
}

/** A file of another version has another shape: to list what is wrong with it in ours would only mislead. */
export function versionFindings({ value }: YamlDocument): Finding[] | undefined {
  const version = valueAt(value, ['schemaVersion']);
  if (typeof version !== 'number' || version === SCHEMA_VERSION) return undefined;
  const message = `this build reads version ${SCHEMA_VERSION}, and the file is of version ${version}`;
  const hint = `use another build of Viaduct, or write the file for version ${SCHEMA_VERSION} (docs/CONFIG.md)`;
  return [{ path: ['schemaVersion'], message, hint }];
}
