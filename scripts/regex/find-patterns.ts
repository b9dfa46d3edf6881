import { readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export interface FoundPattern {
  /** `src/core/x.ts:12` */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

/** A call of `RegExp` whose pattern is made when the program runs. */
export interface BuiltPattern {
  readonly place: string;
  readonly file: string;
  /** The source text of the call. */
  readonly text: string;
}

export interface PatternsOfFile {
  readonly literals: readonly FoundPattern[];
  readonly built: readonly BuiltPattern[];
}

/** Returns the paths of all TypeScript files in a folder. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    .map((name) => path.posix.join(folder, name.replaceAll(path.sep, '/')))
    .sort();
}

/** Returns the regular expression literals of a file, and the calls that build others. */
export function patternsOf(file: string, text: string): PatternsOfFile {
  const literals: FoundPattern[] = [];
  const built: BuiltPattern[] = [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const place = () => `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      literals.push({ place: place(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (isRegExpCall(node)) built.push({ place: place(), file, text: node.getText() });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { literals, built };
}

function isRegExpCall(node: ts.Node): node is ts.NewExpression | ts.CallExpression {
  return (
    (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
    /^(?:globalThis\.)?RegExp$/.test(node.expression.getText())
  );
}
