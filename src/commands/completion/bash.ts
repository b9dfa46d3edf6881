import { type CommandNode, commandPaths, flagsOf, withDescendants } from './command-tree.ts';

/** Returns a script for bash that completes the commands and options of a program, and the names of files after them. */
export function bashScript(program: CommandNode): string {
  const all = withDescendants(program);
  const paths = commandPaths(program);
  const valued = new Set(all.flatMap(({ options }) => options.filter(({ takesValue }) => takesValue).flatMap(flagsOf)));
  const cases = all.map((node) => `    '${node.path}') words='${wordsOf(node).join(' ')}' ;;`);
  return `# Completion of ${program.name} for bash: source <(${program.name} completion bash)
_${program.name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} at= words= index
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$at/\${COMP_WORDS[index]}" in
      ${paths.join('|')}) at="$at/\${COMP_WORDS[index]}" ;;
    esac
  done
  case "\${COMP_WORDS[COMP_CWORD - 1]}" in
    ${[...valued].join('|')})
      COMPREPLY=($(compgen -f -- "$current"))
      return
      ;;
  esac
  case "$at" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${program.name} ${program.name}
`;
}

function wordsOf({ commands, options }: CommandNode): string[] {
  return [...commands.map(({ name }) => name), ...options.flatMap(flagsOf)];
}
