/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Returns the size of a PNG or JPEG image. @throws RangeError if it is neither */
export function imageSize(image: Buffer): ImageSize {
  return image[0] === 0x89 ? { width: image.readUInt32BE(16), height: image.readUInt32BE(20) } : jpegSize(image);
}

/** Reads the size from the segment that begins a frame: https://www.w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2. */
function jpegSize(image: Buffer): ImageSize {
  let at = 2;
  while (!isFrameStart(image.readUInt8(at + 1))) at += 2 + image.readUInt16BE(at + 2);
  return { height: image.readUInt16BE(at + 5), width: image.readUInt16BE(at + 7) };
}

function isFrameStart(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
