import { type CommandNode, commandPaths, flagsOf, withDescendants } from './command-tree.ts';

/** Returns a script for zsh that completes the commands and options of a program, and the names of files after them. */
export function zshScript(program: CommandNode): string {
  const all = withDescendants(program);
  const paths = commandPaths(program);
  return `#compdef ${program.name}
# Completion of ${program.name} for zsh: source <(${program.name} completion zsh), or a file _${program.name} in a folder of fpath.
_${program.name}() {
  local at= word
  local -a commands options
  for word in "\${(@)words[2,CURRENT - 1]}"; do
    case "$at/$word" in
      ${paths.join('|')}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${all.map(caseOf).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _${program.name} "$@"; else compdef _${program.name} ${program.name}; fi
`;
}

function caseOf({ path, commands, options }: CommandNode): string {
  const named = commands.map(({ name, description }) => item(name, description));
  const flags = options.flatMap((option) => flagsOf(option).map((flag) => item(flag, option.description)));
  return `    '${path}')
      commands=(${named.join(' ')})
      options=(${flags.join(' ')})
      ;;`;
}

/** Returns a word and what it means, with a colon between them, in quotation marks. */
function item(word: string, description: string): string {
  return `'${`${word}:${description.replaceAll('\\', '\\\\')}`.replaceAll("'", "'\\''")}'`;
}
