/** The oldest version of Node.js that Viaduct runs on, as "engines" in package.json has it. */
export const OLDEST_NODE = [20, 19] as const;

/** Returns what to do where this version of Node.js is too old; `undefined` if it is not. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needMajor, needMinor] = OLDEST_NODE;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return undefined;
  return `viaduct: Node.js ${version} is too old: Viaduct needs ${needMajor}.${needMinor} or newer. Install one, for example with "nvm install ${needMajor}", and start Viaduct with it`;
}
