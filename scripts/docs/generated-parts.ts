/**
 * Replaces the generated parts of a page. Each stands between `<!-- generated: NAME -->` and `<!-- end -->`.
 * @param parts the text of each part by its name
 * @throws Error if a part has no place on the page, or a place has no part
 */
export function withParts(page: string, parts: Readonly<Record<string, string>>): string {
  const left = new Set(Object.keys(parts));
  const text = page.replaceAll(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const part = parts[name];
      if (part === undefined) throw new Error(`There is no generated part "${name}"`);
      left.delete(name);
      return `${begin}\n${part}\n${end}`;
    },
  );
  if (left.size > 0) throw new Error(`These generated parts have no place on the page: ${[...left].join(', ')}`);
  return text;
}
