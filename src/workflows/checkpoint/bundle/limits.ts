import { exactJson } from '../../../core/json/exact-json.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { invalid } from './json.ts';

const MIB = 1024 * 1024;

const MAX_PATCH_BYTES = 2 * MIB;
export const MAX_BUNDLE_BYTES = 16 * MIB;

/** Returns the length of the value as JSON text, in bytes. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(exactJson(value) ?? '');
}

export function checkPatchSize(patch: JsonObject): void {
  checkSize(patch, MAX_PATCH_BYTES, 'bundle_patch');
}

/** Returns its size in bytes. @throws GatewayError if that is too large */
export function checkBundleSize(bundle: JsonObject): number {
  return checkSize(bundle, MAX_BUNDLE_BYTES, 'bundle');
}

function checkSize(value: JsonObject, limit: number, name: string): number {
  const size = sizeOf(value);
  if (size <= limit) return size;
  const [field, bytes] = largestField(value);
  throw invalid(
    name,
    `${inMib(size)} of JSON, and ${inMib(limit)} are allowed; the largest field is ${field} (${inMib(bytes)})`,
  );
}

function largestField(value: JsonObject): readonly [string, number] {
  const sizes = Object.entries(value).map(([key, member]) => [key, sizeOf(member)] as const);
  return sizes.reduce((largest, next) => (next[1] > largest[1] ? next : largest), ['', 0] as const);
}

function inMib(bytes: number): string {
  return `${(bytes / MIB).toFixed(bytes < MIB ? 2 : 1)} MiB`;
}
