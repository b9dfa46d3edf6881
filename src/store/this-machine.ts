import { createHash, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { GatewayError } from '../core/errors.ts';
import { makeFolder } from '../core/folders/make-folder.ts';
import { draftName, sweepDraftsOnce } from './drafts.ts';

const FILE = 'machine-id';
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Linux systems have an id of their own (machine-id(5)); a home that is copied, or shared, then is another machine's. */
const SYSTEM_ID = '/etc/machine-id';

/** The machine on which something was recorded in a database that several machines share. */
export interface Machine {
  /** Tells machines apart, and homes of the gateway on one of them. */
  readonly id: string;
  /** For people. */
  readonly host: string;
}

/**
 * Returns the machine that this process runs on. Its id is made at the first call and kept in `home`, so that it stays the
 * same when the machine gets another name.
 * @throws GatewayError if the id can be neither read nor kept
 */
export function thisMachine(home: string): Machine {
  const file = path.join(home, FILE);
  try {
    const id = createHash('sha256')
      .update(`${keptId(file)} ${systemId()}`)
      .digest('hex')
      .slice(0, 32);
    return { id, host: hostname() };
  } catch (error) {
    const reason = (error as Error).message;
    throw new GatewayError('STORE_UNAVAILABLE', `the id of this machine cannot be kept in ${file}: ${reason}`, {
      effect: 'none',
      cause: error,
    });
  }
}

function keptId(file: string): string {
  const kept = readId(file);
  if (kept !== undefined) return kept;
  makeFolder(path.dirname(file), 0o700);
  sweepDraftsOnce(path.dirname(file));
  const draft = draftName(file);
  try {
    writeFileSync(draft, `${randomUUID()}\n`, { mode: 0o600, flag: 'wx', flush: true });
    // If several gateways start at once, the first one sets the id: a link never replaces a file.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const made = readId(file);
  if (made === undefined) throw new Error('the file has no id in it; remove it');
  return made;
}

function readId(file: string): string | undefined {
  try {
    const id = readFileSync(file, 'utf8').trim();
    return UUID.test(id) ? id : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function systemId(): string {
  try {
    return readFileSync(SYSTEM_ID, 'utf8').trim();
  } catch {
    return ''; // other systems, and most containers
  }
}
