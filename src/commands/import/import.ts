import path from 'node:path';
import { ownScript } from '../own-entry/own-command.ts';
import { shownCommand } from '../own-entry/shown-command.ts';
import { agentCalled } from '../server-lists/agent-called.ts';
import { EXIT } from '../terminal/exit-codes.ts';
import { print, printError, printJson, printTable } from '../terminal/print.ts';
import { tellNotices } from '../terminal/tell-notices.ts';
import { isAdded, type PreparedImport, prepareImport, writeImport } from './import-agent.ts';

export interface ImportOptions {
  readonly config?: string;
  readonly file?: string;
  readonly write?: boolean;
  readonly keepSecrets?: boolean;
  readonly json?: boolean;
}

/** Shows how the servers of an agent would look in the config, or writes them into it. */
export async function importAgent(agent: string, options: ImportOptions): Promise<void> {
  const prepared = await prepareImport({
    agent: agentCalled(agent),
    file: options.file === undefined ? undefined : path.resolve(options.file),
    config: options.config,
    env: process.env,
    cwd: process.cwd(),
    ownScript: ownScript(),
    keepSecrets: options.keepSecrets === true,
  });
  tellNotices(prepared.notices);
  const added = prepared.plan.entries.filter(isAdded).length;
  const isWritten = options.write === true && added > 0;
  const backup = isWritten ? await writeImport(prepared, process.env) : undefined;
  if (options.json === true) printJson(report(prepared, isWritten, backup));
  else show(prepared, { agent, isWritten, backup, added });
  process.exitCode = prepared.reading.files.length === 0 || prepared.reading.faulty.length > 0 ? EXIT.failed : EXIT.ok;
}

function report(prepared: PreparedImport, written: boolean, backup: string | undefined) {
  const { configPath, notices, reading, plan, diff } = prepared;
  return {
    config: configPath,
    configNotices: notices,
    written,
    backup,
    files: reading.files,
    servers: [
      ...plan.entries.map((entry) => ({
        name: entry.source.name,
        file: entry.source.file,
        key: entry.key,
        outcome: outcomeOf(entry),
        reason: entry.obstacle,
        remarks: entry.remarks,
        variables: entry.secrets.map(({ variable }) => variable),
      })),
      ...reading.faulty.map(({ name, fault }) => ({ name, outcome: 'left out', reason: fault })),
    ],
    diff,
  };
}

type Entry = PreparedImport['plan']['entries'][number];

function outcomeOf(entry: Entry): 'added' | 'present' | 'left out' {
  if (entry.isPresent) return 'present';
  return entry.obstacle === undefined ? 'added' : 'left out';
}

interface Outcome {
  readonly agent: string;
  readonly isWritten: boolean;
  readonly backup: string | undefined;
  readonly added: number;
}

function show(prepared: PreparedImport, { agent, isWritten, backup, added }: Outcome): void {
  const { configPath, reading, plan, diff } = prepared;
  if (reading.files.length === 0) {
    printError('viaduct: this agent has no list of servers here: name a file with --file');
    return;
  }
  printTable(reading.files.map(({ file, servers }) => [file, `${servers} servers`]));
  const left = plan.entries.filter((entry) => !isAdded(entry));
  for (const { source, obstacle, remarks } of left) print(`- ${source.name}: ${obstacle ?? remarks.join('; ')}`);
  for (const { fault } of reading.faulty) print(`- ${fault}`);
  print();
  if (added === 0) {
    print(`There is nothing to add to ${configPath}.`);
    return;
  }
  if (!isWritten) {
    print(`--- ${configPath}`);
    print(`+++ ${configPath}, with ${added} more`);
    for (const line of diff) print(line);
    print();
    print('Nothing was written. To write it, run the same command with --write.');
    return;
  }
  print(`${configPath} is written, with ${added} more servers.`);
  if (backup !== undefined) print(`The previous text is in ${backup}`);
  for (const { key, remarks } of plan.entries.filter(isAdded))
    for (const remark of remarks) print(`- ${key}: ${remark}`);
  print();
  print(`Next: ${shownCommand()} doctor`);
  print(`To have your agent use the gateway: ${shownCommand()} export ${agent} --replace`);
}
