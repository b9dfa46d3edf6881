import ts from 'typescript';

/**
 * What in a generated module is neither an import, nor `export const <name> = ` a chain of calls on `z` with literals
 * as arguments. `new RegExp("…")` counts as a literal.
 */
export function foreignSyntax(source: string): readonly string[] {
  const file = ts.createSourceFile('generated.ts', source, ts.ScriptTarget.Latest, true);
  const problems = file.statements.flatMap((statement) => foreignIn(statement, file));
  return [...syntaxErrorsOf(file), ...problems];
}

/** The names that a generated module exports. */
export function exportedNames(source: string): readonly string[] {
  const file = ts.createSourceFile('generated.ts', source, ts.ScriptTarget.Latest, true);
  return file.statements
    .filter(ts.isVariableStatement)
    .flatMap((statement) =>
      statement.declarationList.declarations.map((declaration) => declaration.name.getText(file)),
    );
}

/** TypeScript keeps them to itself, and gives them out only after a whole transpilation. */
function syntaxErrorsOf(file: ts.SourceFile): readonly string[] {
  const { parseDiagnostics } = file as unknown as { readonly parseDiagnostics: readonly ts.Diagnostic[] };
  return parseDiagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

function foreignIn(statement: ts.Statement, file: ts.SourceFile): readonly string[] {
  if (ts.isImportDeclaration(statement) && statement.getText(file) === "import { z } from 'zod';") return [];
  if (!ts.isVariableStatement(statement)) return [statement.getText(file)];
  const isExport = statement.modifiers?.length === 1 && statement.modifiers[0]!.kind === ts.SyntaxKind.ExportKeyword;
  const isConst = (statement.declarationList.flags & ts.NodeFlags.Const) !== 0;
  const areCallChains = statement.declarationList.declarations.every(
    ({ name, initializer }) => ts.isIdentifier(name) && initializer !== undefined && isCallChain(initializer),
  );
  return isExport && isConst && areCallChains ? [] : [statement.getText(file)];
}

/** `z.a(…).b(…)`. */
function isCallChain(node: ts.Expression): boolean {
  if (!ts.isCallExpression(node) || !node.arguments.every(isArgument)) return false;
  if (!ts.isPropertyAccessExpression(node.expression)) return false;
  const { expression } = node.expression;
  return isCallChain(expression) || (ts.isIdentifier(expression) && expression.text === 'z');
}

function isArgument(node: ts.Node): boolean {
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isArgument);
  if (ts.isObjectLiteralExpression(node)) return node.properties.every(isMember);
  if (ts.isNewExpression(node)) return isRegExp(node);
  return isLiteral(node) || (ts.isCallExpression(node) && isCallChain(node));
}

function isMember(node: ts.ObjectLiteralElementLike): boolean {
  if (!ts.isPropertyAssignment(node) || !ts.isStringLiteral(node.name)) return false;
  // This one would set the prototype.
  return node.name.text !== '__proto__' && isArgument(node.initializer);
}

function isRegExp(node: ts.NewExpression): boolean {
  const isConstructor = ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
  return isConstructor && node.arguments?.length === 1 && ts.isStringLiteral(node.arguments[0]!);
}

function isLiteral(node: ts.Node): boolean {
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  const keywords = [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword];
  return ts.isStringLiteral(node) || ts.isNumericLiteral(node) || keywords.includes(node.kind);
}
