/** Returns the bytes of a vector as the database keeps it: 32-bit floats, little-endian. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** Returns a vector from its bytes, which need not be aligned. */
export function vectorOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
