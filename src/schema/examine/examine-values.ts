import { patternReadings } from '../pattern.ts';
import { isPrecise, type ReducedNode, typeOf } from '../reduce/reduced-schema.ts';
import type { Findings, Spot } from './findings.ts';
import { choiceText, counted, lengthOf, literalText, received, subject, typesText } from './wording.ts';

/** `type` and `enum`. Says whether there is a point in looking further. */
export function examineKind(node: ReducedNode, spot: Spot, findings: Findings): boolean {
  const { value, path } = spot;
  const before = findings.all.length;
  if (node.type !== undefined && !node.type.includes(typeOf(value))) {
    const expected = typesText(node.type, node.multipleOf === 1);
    findings.add({ path, message: mismatch(spot, `must be ${expected}`), isWrongType: true });
  } else if (node.enum !== undefined && !node.enum.some((choice) => isEqual(choice, value))) {
    const message = mismatch(spot, `must be ${choiceText(node.enum)}`);
    findings.add({ path, message, choices: node.enum });
  }
  return findings.all.length === before;
}

export function examineString(node: ReducedNode, spot: Spot, findings: Findings): void {
  const text = spot.value as string;
  const add = (message: string) => findings.add({ path: spot.path, message });
  const length = node.minLength === undefined && node.maxLength === undefined ? 0 : lengthOf(text);
  const has = `but has ${counted(length, 'character')}`;
  if (node.minLength !== undefined && length < node.minLength) {
    add(`${subject(spot.path)} must have at least ${counted(node.minLength, 'character')}, ${has}`);
  }
  if (node.maxLength !== undefined && length > node.maxLength) {
    add(`${subject(spot.path)} must have at most ${counted(node.maxLength, 'character')}, ${has}`);
  }
  if (node.pattern === undefined) return;
  const isMatch = patternReadings(node.pattern).some((reading) => reading.test(text));
  if (!isMatch) add(mismatch(spot, `must match the regular expression ${literalText(node.pattern)}`));
}

export function examineNumber(node: ReducedNode, spot: Spot, findings: Findings): void {
  const value = spot.value as number;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const demand = (isMet: boolean, text: string) => {
    if (!isMet) findings.add({ path: spot.path, message: mismatch(spot, `must be ${text}`) });
  };
  if (minimum !== undefined) demand(value >= minimum, `at least ${minimum}`);
  if (maximum !== undefined) demand(value <= maximum, `at most ${maximum}`);
  if (exclusiveMinimum !== undefined) demand(isBeyond(value, exclusiveMinimum), `greater than ${exclusiveMinimum}`);
  if (exclusiveMaximum !== undefined) demand(isBeyond(exclusiveMaximum, value), `less than ${exclusiveMaximum}`);
  if (multipleOf !== undefined) {
    demand(isMultiple(value, multipleOf), multipleOf === 1 ? 'a whole number' : `a multiple of ${multipleOf}`);
  }
}

/** Returns true if `left` may be greater than `right`. */
function isBeyond(left: number, right: number): boolean {
  return left > right || (left === right && !isPrecise(left));
}

function isMultiple(value: number, step: number): boolean {
  if (!isPrecise(value)) return true;
  if (Number.isInteger(step)) return value % step === 0;
  const quotient = value / step;
  if (!Number.isFinite(quotient)) return true; // the step is too small to tell
  return Math.abs(quotient - Math.round(quotient)) <= Math.max(1, Math.abs(quotient)) * 1e-9;
}

/** Equality of JSON values; large numbers that only look equal here are not, when `isStrict`. */
export function isEqual(left: unknown, right: unknown, isStrict = false): boolean {
  if (typeof left === 'number' && left === right) return !isStrict || isPrecise(left);
  if (left === right) return true;
  const type = typeOf(left);
  if (type !== typeOf(right) || (type !== 'object' && type !== 'array')) return false;
  const one = left as Readonly<Record<string, unknown>>;
  const other = right as Readonly<Record<string, unknown>>;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key], isStrict));
}

function mismatch(spot: Spot, demand: string): string {
  return `${subject(spot.path)} ${demand}, but received ${received(spot.value)}`;
}
