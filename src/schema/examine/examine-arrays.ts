import type { ReducedNode } from '../reduce/reduced-schema.ts';
import { isEqual } from './examine-values.ts';
import { type Examiner, type Findings, inside, type Spot } from './findings.ts';
import { counted, subject } from './wording.ts';

export function examineArray(node: ReducedNode, spot: Spot, findings: Findings, examiner: Examiner): void {
  const items = spot.value as readonly unknown[];
  const prefix = node.prefixItems ?? [];
  const has = `but has ${items.length}`;
  const add = (message: string) => findings.add({ path: spot.path, message: `${subject(spot.path)} ${message}` });
  if (node.minItems !== undefined && items.length < node.minItems) {
    add(`must have at least ${counted(node.minItems, 'item')}, ${has}`);
  }
  if (node.maxItems !== undefined && items.length > node.maxItems) {
    add(`must have at most ${counted(node.maxItems, 'item')}, ${has}`);
  }
  for (const index of items.keys()) {
    const schema = prefix[index] ?? node.items ?? true;
    if (schema !== true && !findings.isFull) examiner.examine(schema, inside(spot, index, schema), findings);
  }
  examineUniqueness(node, spot, findings);
  examineContents(node, spot, findings, examiner);
}

function examineUniqueness(node: ReducedNode, { value, path }: Spot, findings: Findings): void {
  if (node.uniqueItems === undefined || findings.isFull) return;
  const items = value as readonly unknown[];
  for (const [index, item] of items.entries()) {
    const earlier = items.findIndex((other, place) => place < index && isEqual(other, item, true));
    if (earlier < 0) continue;
    const message = `${subject(path)} must not repeat an item, but items ${earlier} and ${index} are equal`;
    findings.add({ path, message });
    return;
  }
}

function examineContents(node: ReducedNode, { value, path }: Spot, findings: Findings, examiner: Examiner): void {
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = node;
  if (contains === undefined || findings.isFull) return;
  const count = (value as readonly unknown[]).filter((item) => examiner.accepts(contains, item)).length;
  if (count >= minContains && count <= maxContains) return;
  const demand = count < minContains ? `at least ${minContains}` : `at most ${maxContains}`;
  const message = `${subject(path)} must have ${demand} of the items that its schema asks for, but has ${count}`;
  findings.add({ path, message });
}
