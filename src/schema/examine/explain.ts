import type { ReducedNode, ReducedSchema } from '../reduce/reduced-schema.ts';
import { examineArray } from './examine-arrays.ts';
import { examineObject } from './examine-objects.ts';
import { examineKind, examineNumber, examineString } from './examine-values.ts';
import { type Examiner, type Finding, Findings, type Spot } from './findings.ts';
import { Misspellings } from './misspellings.ts';
import { alternativesText, choiceText, expectationOf, received, subject } from './wording.ts';

/**
 * Returns what is wrong with `value`: at most `limit` findings, none when it fits. Takes steps in proportion to the parts of
 * the value times the nodes of the schema: each alternative is examined once at each level.
 * @throws RangeError when schema and value are nested too deep for the stack.
 */
export function explain(
  schema: ReducedSchema,
  value: unknown,
  { definitions, limit }: { readonly definitions: ReadonlyMap<string, ReducedSchema>; readonly limit: number },
): readonly Finding[] {
  const findings = new Findings(limit);
  new Explainer(definitions).examine(schema, { value, path: [], top: schema }, findings);
  return findings.all;
}

/** Alternatives are examined as thoroughly as this, to see which one was meant. */
const ALTERNATIVE_LIMIT = 10;

class Explainer implements Examiner {
  readonly #definitions: ReadonlyMap<string, ReducedSchema>;
  /** The references that are followed now, each with the value that is held against it. */
  readonly #followed: { readonly ref: string; readonly value: unknown }[] = [];
  /** Made when first needed: most arguments lack no member. */
  #misspellings: Misspellings | undefined;

  constructor(definitions: ReadonlyMap<string, ReducedSchema>) {
    this.#definitions = definitions;
  }

  get misspellings(): Misspellings {
    this.#misspellings ??= new Misspellings(this);
    return this.#misspellings;
  }

  examine(schema: ReducedSchema, spot: Spot, findings: Findings): void {
    if (findings.isFull || schema === true) return;
    if (schema === false) {
      findings.add({ path: spot.path, message: `${subject(spot.path)} is not allowed here` });
      return;
    }
    if (schema.$ref !== undefined) this.#follow(schema.$ref, spot, findings);
    else if (examineKind(schema, spot, findings)) {
      this.#examineContent(schema, spot, findings);
      this.#examineCombinations(schema, spot, findings);
    }
  }

  accepts(schema: ReducedSchema, value: unknown): boolean {
    return this.#attempt(schema, { value, path: [], top: schema }, 1).length === 0;
  }

  resolve(schema: ReducedSchema): ReducedSchema {
    if (typeof schema === 'boolean' || schema.$ref === undefined) return schema;
    return this.#definitions.get(schema.$ref) ?? true;
  }

  /** Follows a reference, once for each value: one that leads back to itself asks for nothing more. */
  #follow(ref: string, spot: Spot, findings: Findings): void {
    const { value } = spot;
    for (let at = this.#followed.length - 1; at >= 0 && this.#followed[at]!.value === value; at--)
      if (this.#followed[at]!.ref === ref) return;
    this.#followed.push({ ref, value });
    this.examine(this.#definitions.get(ref) ?? true, spot, findings);
    this.#followed.pop();
  }

  #attempt(schema: ReducedSchema, spot: Spot, limit: number): readonly Finding[] {
    const findings = new Findings(limit);
    this.examine(schema, spot, findings);
    return findings.all;
  }

  #examineContent(node: ReducedNode, spot: Spot, findings: Findings): void {
    const { value } = spot;
    if (typeof value === 'string') examineString(node, spot, findings);
    else if (typeof value === 'number') examineNumber(node, spot, findings);
    else if (Array.isArray(value)) examineArray(node, spot, findings, this);
    else if (typeof value === 'object' && value !== null) examineObject(node, spot, findings, this);
  }

  #examineCombinations(node: ReducedNode, spot: Spot, findings: Findings): void {
    for (const part of node.allOf ?? []) this.examine(part, spot, findings);
    if (node.anyOf !== undefined) this.#examineAlternatives(node.anyOf, spot, findings);
    if (node.oneOf !== undefined) this.#examineExclusive(node.oneOf, spot, findings);
    if (node.not === undefined || findings.isFull || !this.accepts(node.not, spot.value)) return;
    findings.add({ path: spot.path, message: `${subject(spot.path)} has a form that its schema excludes` });
  }

  #examineExclusive(schemas: readonly ReducedSchema[], spot: Spot, findings: Findings): void {
    if (findings.isFull) return;
    const attempts = schemas.map((schema) => this.#attempt(schema, spot, ALTERNATIVE_LIMIT));
    const fitting = attempts.filter((attempt) => attempt.length === 0).length;
    if (fitting === 0) for (const finding of this.#mostTelling(attempts, schemas, spot)) findings.add(finding);
    if (fitting <= 1) return;
    const message = `${subject(spot.path)} must fit exactly one of ${schemas.length} alternatives, but fits ${fitting}`;
    findings.add({ path: spot.path, message });
  }

  #examineAlternatives(schemas: readonly ReducedSchema[], spot: Spot, findings: Findings): void {
    const attempts: (readonly Finding[])[] = [];
    for (const schema of schemas) {
      if (findings.isFull) return;
      const attempt = this.#attempt(schema, spot, ALTERNATIVE_LIMIT);
      if (attempt.length === 0) return;
      attempts.push(attempt);
    }
    for (const finding of this.#mostTelling(attempts, schemas, spot)) findings.add(finding);
  }

  /** Returns what to say about several failed alternatives: the key that chooses between them, or else the nearest miss. */
  #mostTelling(
    attempts: readonly (readonly Finding[])[],
    schemas: readonly ReducedSchema[],
    spot: Spot,
  ): readonly Finding[] {
    const rightType = attempts.filter((attempt) => !attempt.some((finding) => isAbout(finding, spot)));
    const discriminator = missedDiscriminator(rightType.length === 0 ? attempts : rightType, spot);
    if (discriminator !== undefined) return [discriminator];
    if (rightType.length === 0) return [this.#noneFits(attempts, schemas, spot)];
    return rightType.reduce((best, attempt) => (attempt.length < best.length ? attempt : best));
  }

  #noneFits(attempts: readonly (readonly Finding[])[], schemas: readonly ReducedSchema[], spot: Spot): Finding {
    const { path, value } = spot;
    const expectations = schemas.map((schema) => expectationOf(this.resolve(schema)));
    const isSayable = expectations.length <= 4 && expectations.every((text) => text !== undefined);
    const expected = isSayable ? alternativesText(expectations as readonly string[]) : undefined;
    const demand = expected === undefined ? `fit one of ${attempts.length} alternatives` : `be ${expected}`;
    const isWrongType = attempts.every((attempt) => attempt.some((finding) => finding.isWrongType === true));
    const message = `${subject(path)} must ${demand}, but received ${received(value)}`;
    return { path, message, ...(isWrongType ? { isWrongType } : {}) };
  }
}

/** Tells whether a finding rejects the value at `spot` as a whole, not a part of it or a detail. */
function isAbout(finding: Finding, spot: Spot): boolean {
  const isHere = finding.path.length === spot.path.length;
  return isHere && (finding.isWrongType === true || finding.choices !== undefined);
}

/** `kind` must be "a" or "b", when each alternative asks for another `kind` and none is the one that was sent. */
function missedDiscriminator(attempts: readonly (readonly Finding[])[], spot: Spot): Finding | undefined {
  if (attempts.length < 2) return undefined;
  const candidates = attempts[0]!.filter((finding) => finding.choices !== undefined);
  for (const { path } of candidates) {
    const misses = attempts.map((attempt) => attempt.find((one) => one.choices !== undefined && isSamePath(one, path)));
    if (!misses.every((miss) => miss !== undefined)) continue;
    const choices = [...new Set(misses.flatMap((miss) => miss!.choices!))];
    const sent = path.slice(spot.path.length).reduce((value, step) => memberOf(value, step), spot.value);
    const message = `${subject(path)} must be ${choiceText(choices)}, but received ${received(sent)}`;
    return { path, message, choices };
  }
  return undefined;
}

function isSamePath(finding: Finding, path: Finding['path']): boolean {
  return finding.path.length === path.length && finding.path.every((step, index) => step === path[index]);
}

function memberOf(value: unknown, step: string | number): unknown {
  return (value as Readonly<Record<string | number, unknown>>)[step];
}
