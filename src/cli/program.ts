import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { addAuditCommand } from '../commands/audit/command.ts';
import { addAuthCommands } from '../commands/auth/command.ts';
import { addAgentCommands } from '../commands/checkpoint/agents/command.ts';
import { addStoreCommands } from '../commands/checkpoint/command.ts';
import { addCodebaseCommands } from '../commands/codebase/command.ts';
import { addCompletionCommand } from '../commands/completion/command.ts';
import { addServerListCommands } from '../commands/export/command.ts';
import { addMetricsCommands } from '../commands/metrics/command.ts';
import { addMlCommands } from '../commands/ml/command.ts';
import { addRagCommands } from '../commands/rag/command.ts';
import { addTasksCommands } from '../commands/tasks/command.ts';
import { UsageError } from '../commands/terminal/call-arguments.ts';
import { EXIT } from '../commands/terminal/exit-codes.ts';
import { CONFIG_FLAG, JSON_FLAG, PROFILE_FLAG } from '../commands/terminal/flags.ts';
import { printError, writeError } from '../commands/terminal/print.ts';
import { whenWritten, writeOutput } from '../commands/terminal/standard-output.ts';
import { addTrustCommand } from '../commands/trust/command.ts';
import { ConfigError } from '../config/findings/config-error.ts';
import { systemErrorText } from '../core/text/system-error.ts';
import { VERSION } from '../gateway/version.ts';

/** Commands are loaded when they are called: an agent waits for `viaduct stdio` to start. */
function createProgram(): Command {
  const program = new Command('viaduct')
    .description('One MCP endpoint in front of every MCP server you run.')
    .version(VERSION)
    .showHelpAfterError('(try --help)')
    // A command that has flags and commands below it, such as "metrics", leaves them theirs.
    .enablePositionalOptions()
    .configureOutput({ writeOut: writeOutput, writeErr: writeError })
    .exitOverride();
  addServing(program);
  addAsking(program);
  addAuditCommand(program);
  addPins(program);
  addAuthCommands(program);
  addTokens(program);
  addCheckpoints(program);
  addMetricsCommands(program);
  addCodebaseCommands(program);
  addTasksCommands(program);
  addRagCommands(program);
  addMlCommands(program);
  addUndo(program);
  addConfig(program);
  addTrustCommand(program);
  addServerListCommands(program);
  addCompletionCommand(program);
  return program;
}

function addUndo(program: Command): void {
  program
    .command('undo')
    .description(
      'undo the last change that a tool made to files of the workspace; exit code 1 when it cannot be undone',
    )
    .argument('[change]', 'number of a change (see --list) instead; an undo can be undone as well', changeNumber)
    .option('-s, --session <id>', 'all changes of this session, the newest first')
    .option('-l, --list', 'only list the changes')
    .option('-f, --force', 'also where the file was changed since, or tools leave it alone')
    .option('--any-machine', 'also changes that were made on other machines with the same database')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (change, options) => (await import('../commands/undo/undo.ts')).undo(change, options));
}

function addServing(program: Command): void {
  program
    .command('stdio')
    .description('serve one client on standard input and output (for the config of an agent)')
    .option(...CONFIG_FLAG)
    .option(...PROFILE_FLAG)
    .action(async (options) => (await import('../commands/stdio/stdio.ts')).stdio(options));
  program
    .command('serve')
    .description('serve clients over HTTP, and all "viaduct stdio" of the same config')
    .option(...CONFIG_FLAG)
    .option('--host <address>', 'address to listen on; beyond this machine it needs tokens and TLS (docs/ACCESS.md)')
    .option('-p, --port <number>', 'port to listen on; 0 takes a free one', portNumber)
    .action(async (options) => (await import('../commands/serve/serve.ts')).serve(options));
}

function addAsking(program: Command): void {
  program
    .command('status')
    .description('show upstreams and clients')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await import('../commands/status/status.ts')).status(options));
  program
    .command('tools')
    .description('list the tools that clients see')
    .option(...CONFIG_FLAG)
    .option(...PROFILE_FLAG)
    .option('-u, --upstream <key>', 'only those of this upstream')
    .option(...JSON_FLAG)
    .action(async (options) => (await import('../commands/tools/tools.ts')).tools(options));
  program
    .command('doctor')
    .description('look at everything that the gateway needs, try each upstream once, and say how to mend what is wrong')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await import('../commands/doctor/doctor.ts')).doctor(options));
  program
    .command('why')
    .description('say whether clients see a tool, and if not, why and what to do')
    .argument('<tool>', 'its name for clients, or the name that its server gives it')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (tool, options) => (await import('../commands/why/why.ts')).why(tool, options));
  program
    .command('call')
    .description('call a tool')
    .argument('<tool>', 'name as "viaduct tools" shows it')
    .argument('[key=value...]', 'arguments of the tool')
    .option(...CONFIG_FLAG)
    .option(...PROFILE_FLAG)
    .option('-a, --args <json>', 'arguments as a JSON object')
    .option(...JSON_FLAG)
    .action(async (tool, words, options) => (await import('../commands/call/call.ts')).call(tool, words, options));
  program
    .command('sync')
    .description('connect upstreams that are down and read their lists again')
    .argument('[upstream]', 'only this one')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (upstream, options) => (await import('../commands/sync/sync.ts')).sync(upstream, options));
  program
    .command('probe')
    .description("try Apple's Xcode bridge on this machine")
    .option('-n, --names <count>', 'print so many tool names', wholeNumber, 10)
    .action(async (options) => (await import('../commands/probe/probe.ts')).probeXcode(options));
  program
    .command('codegen')
    .description("print Zod schemas of the tools' arguments as a TypeScript module")
    .option(...CONFIG_FLAG)
    .option('-u, --upstream <key>', 'only for this upstream')
    .action(async (options) => (await import('../commands/codegen/codegen.ts')).codegen(options));
}

function addPins(program: Command): void {
  const pins = program.command('pins').description('see what changed in tools since you approved them, approve it');
  pins
    .command('list')
    .description('list tools and whether they are as they were approved')
    .argument('[upstream]', 'only those of this one')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (upstream, options) => (await import('../commands/pins/pins.ts')).listPins(upstream, options));
  pins
    .command('diff')
    .description('show how tools differ from what was approved; exit code 1 when they do')
    .argument('[upstream]', 'only those of this one')
    .argument('[tool]', 'only this one, by the name that the upstream gives it')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (upstream, tool, options) =>
      (await import('../commands/pins/pins.ts')).diffPins(upstream, tool, options),
    );
  pins
    .command('accept')
    .description('approve tools as they are now')
    .argument('<upstream>', 'the upstream that has them')
    .argument('[tool...]', 'only these, by the names that the upstream gives them')
    .option('--sha256 <hash...>', 'only if they still are what "viaduct pins diff" has shown under these SHA-256')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (upstream, tools, options) =>
      (await import('../commands/pins/pins.ts')).acceptPins(upstream, tools, options),
    );
}

function addTokens(program: Command): void {
  const token = program.command('token').description('bearer tokens of those who may connect over HTTP');
  token
    .command('create')
    .description('make a token and print it, once, with the entry that the config needs')
    .argument('<name>', 'who it is for')
    .option(...CONFIG_FLAG)
    .option('--upstreams <keys>', 'only these upstreams, separated by commas')
    .option('--workflows <names>', 'only these workflows, separated by commas')
    .option('--projects <globs>', 'only checkpoints, tasks and metrics of these projects, separated by commas')
    .option('--expires <when>', 'a time from now such as 90d or 12h, or a date')
    .option('-w, --write', 'write the entry into the config; a gateway that runs takes it over at once')
    .option(...JSON_FLAG)
    .action(async (name, options) => (await import('../commands/token/token.ts')).createToken(name, options));
  token
    .command('list')
    .description('list the tokens of the config')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await import('../commands/token/token.ts')).listTokens(options));
  token
    .command('revoke')
    .description('take a token out of the config; a gateway that runs ends its sessions at once')
    .argument('<name>', 'name of the token')
    .option(...CONFIG_FLAG)
    .action(async (name, options) => (await import('../commands/token/token.ts')).revokeToken(name, options));
}

function addCheckpoints(program: Command): void {
  const checkpoint = program.command('checkpoint').description('states of work that travel from agent to agent');
  addStoreCommands(checkpoint);
  addAgentCommands(checkpoint);
}

function addConfig(program: Command): void {
  program
    .command('init')
    .description('write a commented config to begin with, or one with the servers of an agent')
    .argument('[file]', 'where to (default: ./viaduct.yaml)')
    .option('-g, --global', 'write the config of this user, for all folders')
    .option('-f, --force', 'replace a file that is there')
    .option('--import <file>', "show what would be taken over from an agent's config (JSON or TOML)")
    .option('--accept <sha256>', 'take over what --import has shown under this SHA-256')
    .action(async (file, options) => (await import('../commands/init/init.ts')).init(file, options));
  const config = program.command('config').description('check the config, find it, describe it');
  config
    .command('check')
    .description('read the config and report everything that is wrong with it')
    .option(...CONFIG_FLAG)
    .action(async (options) => (await import('../commands/config/config.ts')).checkConfig(options));
  config
    .command('path')
    .description('print which config is used')
    .option(...CONFIG_FLAG)
    .action(async (options) => (await import('../commands/config/config.ts')).configPath(options));
  config
    .command('schema')
    .description('print the JSON Schema of the config, for editors')
    .action(async () => (await import('../commands/config/config.ts')).configSchema());
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

function changeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It must be at most 65535.');
  return port;
}

/** Runs the command that the command line names and sets the exit code. */
export async function runCommandLine(): Promise<void> {
  try {
    await createProgram().parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
  try {
    await whenWritten();
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** Says what went wrong in the words it came with, and gives the exit code for it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  if (error instanceof ConfigError) {
    printError(error.format());
    return error.issues.some(({ isUnprotected }) => isUnprotected) ? EXIT.unprotected : EXIT.usage;
  }
  const message = systemErrorText(error) ?? (error instanceof Error ? error.message : String(error));
  printError(`viaduct: ${message}`);
  if (error instanceof UsageError) return EXIT.usage;
  // Known by its name: what throws it is loaded with `serve` only.
  if (error instanceof Error && error.name === 'UnprotectedError') return EXIT.unprotected;
  return EXIT.failed;
}
