import { isObject } from '../../core/json/as-object.ts';
import type { SchemaFault } from '../../core/providers/provider-status.ts';
import { Dialect } from '../dialect.ts';
import { literalText, type Path, pathText } from '../examine/wording.ts';
import { resolveLocalRef } from '../local-ref.ts';
import { mustBe, namesFault, PARTS, type PartKind, patternFault, VALUE_RULES } from './keyword-rules.ts';

/** Faults that are reported of one schema. */
const MAX_FAULTS = 5;
/** Schemas inside a schema that are looked at, and how deep. */
const MAX_PARTS = 5_000;
const MAX_LEVELS = 32;

/** `exclusiveMinimum: true` has a meaning in draft-04 only. */
const EXCLUSIVES: ReadonlySet<string> = new Set(['exclusiveMinimum', 'exclusiveMaximum']);

/**
 * Returns where a tool's schema is not valid: JSON Schema 2020-12, or the draft that `$schema` names.
 * @param schema what `JSON.parse` gave; `undefined` if the tool has none
 * @param name of the member of the tool: `inputSchema` or `outputSchema`
 * @param mustBeObject whether MCP wants `"type": "object"` in it (2025-11-25, "Tool")
 * @returns the first few faults; none if the schema is valid
 */
export function schemaFaults(schema: unknown, name: string, mustBeObject: boolean): readonly SchemaFault[] {
  const walk = new Walk(schema);
  if (!isObject(schema)) walk.add([name], schema === undefined ? 'is missing' : mustBe(schema, 'an object'));
  else {
    if (mustBeObject && !Object.hasOwn(schema, 'type'))
      walk.add([name], 'has no "type", and must have "type": "object"');
    walk.examine(schema, [name], true);
  }
  return walk.found;
}

class Walk {
  readonly found: SchemaFault[] = [];
  readonly #root: unknown;
  readonly #dialect: Dialect;
  #parts = 0;

  constructor(root: unknown) {
    this.#root = root;
    this.#dialect = new Dialect(root);
  }

  add(path: Path, fault: string): void {
    if (this.found.length < MAX_FAULTS) this.found.push({ path: pathText(path), fault });
  }

  /** `mayRefer`: references are relative to the root here, and not to a document inside it. */
  examine(schema: unknown, path: Path, mayRefer: boolean): void {
    if (typeof schema === 'boolean') return;
    if (!isObject(schema)) {
      this.add(path, mustBe(schema, 'a schema (an object, true or false)'));
      return;
    }
    this.#parts += 1;
    if (this.#parts > MAX_PARTS || path.length > 2 * MAX_LEVELS || this.found.length >= MAX_FAULTS) return;
    const refersHere = mayRefer && (schema === this.#root || this.#dialect.ownUri(schema) === undefined);
    for (const [keyword, value] of this.#dialect.keywordsOf(schema)) {
      const at = [...path, keyword];
      const part = PARTS.get(keyword);
      if (part !== undefined) this.#examinePart(part, value, at, refersHere);
      else this.#examineValue(keyword, value, at, refersHere);
    }
  }

  #examineValue(keyword: string, value: unknown, path: Path, mayRefer: boolean): void {
    if (EXCLUSIVES.has(keyword) && this.#dialect.hasBooleanExclusives && typeof value === 'boolean') return;
    const fault = VALUE_RULES.get(keyword)?.(value);
    if (fault !== undefined) this.add(path, fault);
    else if (keyword === '$ref' && mayRefer) this.#examineReference(value as string, path);
  }

  /** Other documents, and names that `$anchor` gives, are not looked for. */
  #examineReference(ref: string, path: Path): void {
    if (ref !== '#' && !ref.startsWith('#/')) return;
    if (resolveLocalRef(this.#root, ref, this.#dialect) === undefined)
      this.add(path, `is ${literalText(ref)}, and there is nothing at that place`);
  }

  #examinePart(kind: PartKind, value: unknown, path: Path, mayRefer: boolean): void {
    switch (kind) {
      case 'schema':
        this.examine(value, path, mayRefer);
        break;
      case 'schema-or-list':
        if (Array.isArray(value)) this.#examineList(value, path, mayRefer);
        else this.examine(value, path, mayRefer);
        break;
      case 'list':
        this.#examineList(value, path, mayRefer);
        break;
      default:
        this.#examineMap(kind, value, path, mayRefer);
    }
  }

  #examineList(schemas: unknown, path: Path, mayRefer: boolean): void {
    if (!Array.isArray(schemas) || schemas.length === 0) {
      this.add(path, mustBe(schemas, 'a list of at least one schema'));
      return;
    }
    for (const [index, schema] of schemas.entries()) this.examine(schema, [...path, index], mayRefer);
  }

  #examineNames(names: readonly unknown[], path: Path): void {
    const fault = namesFault(names);
    if (fault !== undefined) this.add(path, fault);
  }

  #examineMap(kind: PartKind, value: unknown, path: Path, mayRefer: boolean): void {
    if (!isObject(value)) {
      this.add(path, mustBe(value, 'an object'));
      return;
    }
    for (const [name, schema] of Object.entries(value)) {
      const at = [...path, name];
      const fault = path.at(-1) === 'patternProperties' ? patternFault(name) : undefined;
      if (fault !== undefined) this.add(at, fault);
      if (kind === 'map-of-schemas-or-names' && Array.isArray(schema)) this.#examineNames(schema, at);
      else this.examine(schema, at, mayRefer);
    }
  }
}
