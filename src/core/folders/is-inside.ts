import path from 'node:path';

/** Tells whether an absolute path is `folder`, or lies in it. Looks at the paths only: links are not followed. */
export function isInside(folder: string, place: string): boolean {
  const way = path.relative(folder, place);
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
}
