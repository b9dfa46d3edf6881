import { homeFolder } from '../../gateway/settings/paths.ts';
import { type SharedRecord, sharedRecords } from '../../gateway/shared/shared-records.ts';
import { type Stopped, stopShared } from '../../gateway/shared/stop-shared.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { findConfigFile } from '../terminal/open-settings.ts';
import { print, printJson } from '../terminal/print.ts';

interface StopOptions {
  readonly config?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

/** Ends shared gateways and waits until they are gone. Exits with 1 if one of them does not end. */
export async function stop({ config, all = false, json = false }: StopOptions): Promise<void> {
  const home = homeFolder(process.env);
  const configPath = all ? undefined : (await findConfigFile(config)).file.path;
  const stopped = await Promise.all(sharedRecords(home, configPath).map(stopOne));
  const ended = stopped.filter(({ outcome }) => outcome !== 'was-gone');
  if (json) printJson({ stopped: ended });
  else if (ended.length === 0)
    print(configPath === undefined ? 'no shared gateway runs' : `no shared gateway runs for ${configPath}`);
  else for (const line of ended.map(lineOf)) print(line);
  process.exitCode = ended.some(({ outcome }) => outcome === 'still-runs') ? EXIT.failed : EXIT.ok;
}

interface StoppedGateway {
  readonly pid: number;
  readonly config: string;
  readonly clients: number;
  readonly outcome: Stopped['outcome'];
}

async function stopOne(record: SharedRecord): Promise<StoppedGateway> {
  const { outcome, clients } = await stopShared(record);
  return { pid: record.pid, config: record.shared.configPath, clients, outcome };
}

function lineOf({ pid, config, clients, outcome }: StoppedGateway): string {
  const which = `the shared gateway of ${config} (pid ${pid})`;
  if (outcome === 'still-runs') return `${which} does not end: kill ${pid}`;
  const whose = clients === 0 ? 'it had no clients' : `${clients} client${clients === 1 ? ' was' : 's were'} connected`;
  return `${which} has ended; ${whose}`;
}
