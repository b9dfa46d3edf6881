import { type CommandNode, commandPaths, type OptionNode, withDescendants } from './command-tree.ts';

/** Returns a script for fish that completes the commands and options of a program, and the names of files after them. */
export function fishScript(program: CommandNode): string {
  const all = withDescendants(program);
  const paths = commandPaths(program);
  return `# Completion of ${program.name} for fish: ${program.name} completion fish | source
function __${program.name}_is
    set -l at ''
    for word in (commandline -opc)[2..]
        contains -- "$at/$word" ${paths.join(' ')}; and set at "$at/$word"
    end
    test "$at" = "$argv[1]"
end
${all.flatMap((node) => linesOf(program.name, node)).join('\n')}
`;
}

function linesOf(program: string, { path, commands, options }: CommandNode): string[] {
  const start = `complete -c ${program} -n ${quoted(`__${program}_is ${path === '' ? "''" : path}`)}`;
  return [
    ...commands.map(({ name, description }) => `${start} -f -a ${name} -d ${quoted(description)}`),
    ...options.map((option) => `${start} ${flagText(option)} -d ${quoted(option.description)}`),
  ];
}

function flagText({ short, long, takesValue }: OptionNode): string {
  return [...(short === undefined ? [] : [`-s ${short}`]), `-l ${long}`, ...(takesValue ? ['-r'] : [])].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
