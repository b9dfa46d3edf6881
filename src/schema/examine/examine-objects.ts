import { patternReadings } from '../pattern.ts';
import type { ReducedNode, ReducedSchema } from '../reduce/reduced-schema.ts';
import { type Examiner, type Findings, inside, type Spot } from './findings.ts';
import { counted, expectationOf, nameList, nameText, subject } from './wording.ts';

type Members = Readonly<Record<string, unknown>>;

export function examineObject(node: ReducedNode, spot: Spot, findings: Findings, examiner: Examiner): void {
  examineRequired(node, spot, findings, examiner);
  examineMembers(node, spot, findings, examiner);
  examineNames(node, spot, findings, examiner);
  examineSize(node, spot, findings);
  examineDependencies(node, spot, findings, examiner);
}

function examineRequired(node: ReducedNode, spot: Spot, findings: Findings, examiner: Examiner): void {
  const members = spot.value as Members;
  const missing = (node.required ?? []).filter((name) => !Object.hasOwn(members, name));
  for (const [index, name] of missing.entries()) {
    if (findings.isFull) return;
    const message = [
      `${subject([...spot.path, name])} is required but missing${expectationSuffix(node, name, examiner)}`,
      ...misspelling(name, examiner.misspellings.find(name, spot)),
      ...(index === 0 && node.required!.length > 1 ? [`required here: ${nameList(node.required!)}`] : []),
    ].join('; ');
    findings.add({ path: [...spot.path, name], message });
  }
}

function expectationSuffix(node: ReducedNode, name: string, examiner: Examiner): string {
  const schema = ownMember(node.properties, name);
  const expectation = schema === undefined ? undefined : expectationOf(examiner.resolve(schema));
  return expectation === undefined ? '' : ` (${expectation})`;
}

function misspelling(name: string, candidate: string | undefined): readonly string[] {
  return candidate === undefined ? [] : [`${nameText(candidate)} is not known; did you mean ${nameText(name)}?`];
}

function examineMembers(node: ReducedNode, spot: Spot, findings: Findings, examiner: Examiner): void {
  const { properties, patternProperties, additionalProperties } = node;
  if (properties === undefined && patternProperties === undefined && additionalProperties === undefined) return;
  const patterns = compiledPatterns(node);
  for (const key of Object.keys(spot.value as Members)) {
    if (findings.isFull) return;
    const own = ownMember(properties, key);
    const matching = patterns.filter(({ readings }) => readings.some((reading) => reading.test(key)));
    const isAdditional = own === undefined && matching.length === 0;
    const sure = matching.filter(({ readings }) => readings.every((reading) => reading.test(key)));
    const schemas = isAdditional ? [additionalProperties] : [own, ...sure.map(({ schema }) => schema)];
    for (const schema of schemas) {
      if (schema !== undefined) examiner.examine(schema, inside(spot, key, schema), findings);
    }
  }
}

interface MemberPattern {
  readonly readings: readonly RegExp[];
  readonly schema: ReducedSchema;
}

function compiledPatterns({ patternProperties = {} }: ReducedNode): readonly MemberPattern[] {
  return Object.entries(patternProperties).map(([key, schema]) => ({ readings: patternReadings(key), schema }));
}

function examineNames(node: ReducedNode, spot: Spot, findings: Findings, examiner: Examiner): void {
  const { propertyNames } = node;
  if (propertyNames === undefined) return;
  const { path } = spot;
  for (const key of Object.keys(spot.value as Members)) {
    if (findings.isFull) return;
    if (examiner.accepts(propertyNames, key)) continue;
    const expectation = expectationOf(examiner.resolve(propertyNames));
    const hint = expectation === undefined ? '' : ` (a key must be ${expectation})`;
    findings.add({ path, message: `${subject(path)} must not have a key ${nameText(key)}${hint}` });
  }
}

function examineSize({ minProperties = 0, maxProperties }: ReducedNode, spot: Spot, findings: Findings): void {
  const size = Object.keys(spot.value as Members).length;
  const add = (demand: string) =>
    findings.add({ path: spot.path, message: `${subject(spot.path)} must have ${demand}, but has ${size}` });
  if (size < minProperties) add(`at least ${counted(minProperties, 'property')}`);
  if (maxProperties !== undefined && size > maxProperties) add(`at most ${counted(maxProperties, 'property')}`);
}

function examineDependencies(node: ReducedNode, spot: Spot, findings: Findings, examiner: Examiner): void {
  const { dependentRequired = {}, dependentSchemas = {} } = node;
  const members = spot.value as Members;
  for (const [key, names] of Object.entries(dependentRequired)) {
    if (!Object.hasOwn(members, key)) continue;
    for (const name of names.filter((needed) => !Object.hasOwn(members, needed))) {
      const path = [...spot.path, name];
      findings.add({ path, message: `${subject(path)} is required together with ${nameText(key)}, but missing` });
    }
  }
  for (const [key, schema] of Object.entries(dependentSchemas)) {
    if (Object.hasOwn(members, key)) examiner.examine(schema, spot, findings);
  }
}

/** Returns an own member of a map: `properties.constructor` is a schema only if the server wrote it. */
function ownMember(map: Readonly<Record<string, ReducedSchema>> | undefined, key: string): ReducedSchema | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}
