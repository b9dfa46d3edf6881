import type { LanguageName } from './roles.ts';

const ENDINGS: Readonly<Record<LanguageName, string>> = {
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js jsx mjs cjs',
  python: 'py pyi pyw',
  go: 'go',
  rust: 'rs',
  java: 'java',
  c: 'c h',
  cpp: 'cc cpp cxx c++ hh hpp hxx h++ ipp inl',
  csharp: 'cs csx',
  ruby: 'rb rake gemspec ru',
  php: 'php phtml',
  swift: 'swift',
  kotlin: 'kt kts',
  bash: 'sh bash zsh ksh',
};

const BY_ENDING = new Map<string, LanguageName>();
for (const [language, endings] of Object.entries(ENDINGS))
  for (const ending of endings.split(' ')) BY_ENDING.set(ending, language as LanguageName);

const BY_NAME = new Map<string, LanguageName>([
  ['rakefile', 'ruby'],
  ['gemfile', 'ruby'],
  ['.bashrc', 'bash'],
  ['.zshrc', 'bash'],
  ['.profile', 'bash'],
]);

/** Languages by the interpreter that the first line of a script names. */
const INTERPRETERS: readonly (readonly [name: string, language: LanguageName])[] = [
  ['python', 'python'],
  ['node', 'javascript'],
  ['deno', 'typescript'],
  ['ruby', 'ruby'],
  ['php', 'php'],
  ['sh', 'bash'],
];

/** Headers of C++ are often called `.h`. */
const CPP_ONLY = /^[ \t]*(?:class |namespace |template ?<|public:|private:|using namespace )/m;

/** Returns the language of a file by its name or its first line; `undefined` when there is no grammar for it. */
export function languageOf(path: string, text: string): LanguageName | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  const language = BY_NAME.get(name) ?? (dot === -1 ? byFirstLine(text) : BY_ENDING.get(name.slice(dot + 1)));
  return language === 'c' && name.endsWith('.h') && CPP_ONLY.test(text) ? 'cpp' : language;
}

function byFirstLine(text: string): LanguageName | undefined {
  if (!text.startsWith('#!')) return undefined;
  const line = text.slice(0, 200).split('\n', 1)[0]!;
  return INTERPRETERS.find(([name]) => line.includes(name))?.[1];
}
