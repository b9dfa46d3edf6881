import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { commandsPage } from '../../../scripts/docs/commands-page.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { bashScript } from '../../../src/commands/completion/bash.ts';
import { commandTree } from '../../../src/commands/completion/command-tree.ts';
import { fishScript } from '../../../src/commands/completion/fish.ts';
import { zshScript } from '../../../src/commands/completion/zsh.ts';
import { defineCommand } from '../../../src/commands/define.ts';
import { COMMANDS } from '../../../src/commands/index.ts';

const ROOT = 'src/commands';

describe('a command that is added to the table', () => {
  const greeted: unknown[] = [];
  const greet = defineCommand({
    name: 'greet',
    description: 'say hello to someone',
    configure: (command) => {
      command
        .command('person')
        .description('say hello to a person')
        .argument('<name>', 'who to say hello to')
        .option('-l, --loud', 'in capital letters')
        .action((name, options) => {
          greeted.push([name, options]);
        });
    },
  });
  const table = [...COMMANDS, greet];

  test('is run with its arguments and options', async () => {
    await createProgram(table).parseAsync(['node', 'viaduct', 'greet', 'person', 'Ada', '--loud']);
    expect(greeted).toEqual([['Ada', { loud: true }]]);
  });

  test('is run without the arguments and options of the others, which are still in the help', async () => {
    const program = createProgram(table, 'greet');
    expect(program.commands.filter(({ options, commands }) => options.length + commands.length > 0)).toHaveLength(1);
    expect(program.commands.map((command) => command.description())).toEqual(
      table.map(({ description }) => description),
    );
    await program.parseAsync(['node', 'viaduct', 'greet', 'person', 'Bob']);
    expect(greeted.at(-1)).toEqual(['Bob', {}]);
  });

  test.each(['completion', 'help', undefined])('the others are whole if "%s" is run', (name) => {
    expect(commandTree(createProgram(table, name))).toEqual(commandTree(createProgram(table)));
  });

  test('is in the help of the program, and has help of its own', () => {
    const program = createProgram(table);
    expect(program.helpInformation()).toMatch(/^ {2}greet +say hello to someone$/m);
    const person = program.commands.at(-1)?.commands[0]?.helpInformation();
    expect(person).toContain('viaduct greet person [options] <name>');
    expect(person).toMatch(/-l, --loud +in capital letters/);
  });

  test.each([
    ['bash', bashScript, ['/greet/person', "'/greet/person') words='-l --loud -h --help'"]],
    ['zsh', zshScript, ["'greet:say hello to someone'", "'--loud:in capital letters'"]],
    ['fish', fishScript, ["-a greet -d 'say hello to someone'", "-l loud -d 'in capital letters'"]],
  ])('is completed by %s', (_, script, parts) => {
    const text = script(commandTree(createProgram(table)));
    for (const part of parts) expect(text).toContain(part);
  });

  test('is in docs/COMMANDS.md', () => {
    const page = commandsPage(table);
    expect(page).toContain('\n## `viaduct greet COMMAND`\n\nSay hello to someone.\n');
    expect(page).toContain('\n### `viaduct greet person [options] <name>`\n\nSay hello to a person.\n');
    expect(page).toContain('| `<name>` | who to say hello to |\n| `-l, --loud` | in capital letters |\n');
    expect(commandsPage()).not.toContain('greet');
  });
});

test('the help lists commands in the order of the table', () => {
  const help = createProgram().helpInformation();
  const shown = COMMANDS.filter(({ isHidden = false }) => !isHidden);
  const positions = shown.map(({ name }) => help.search(new RegExp(`^ {2}${name}\\b`, 'm')));
  expect(positions).not.toContain(-1);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
});

test('a command that only the program itself runs is neither in the help nor in completions nor in docs/COMMANDS.md', () => {
  const program = createProgram();
  expect(COMMANDS.filter(({ isHidden }) => isHidden).map(({ name }) => name)).toEqual(['shared-gateway']);
  const texts = [program.helpInformation(), commandsPage(), bashScript(commandTree(program))];
  for (const text of texts) expect(text).not.toContain('shared-gateway');
});

test('the table has every folder with a definition, under the name of the folder', () => {
  const folders = readdirSync(ROOT).filter((name) => existsSync(path.join(ROOT, name, 'command.ts')));
  expect(COMMANDS.map(({ name }) => name).sort()).toEqual(folders.sort());
});

test('every argument and option has a description that completion and docs can show', () => {
  const all = createProgram().commands.flatMap(function below(command): (typeof command)[] {
    return [command, ...command.commands.flatMap(below)];
  });
  for (const command of all) {
    expect([command.name(), command.description()]).not.toEqual([command.name(), '']);
    for (const one of [...command.registeredArguments, ...command.options])
      expect([command.name(), one.name(), one.description]).not.toEqual([command.name(), one.name(), '']);
  }
});
