const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * Returns the version to release.
 * @param {string} current the version in package.json
 * @param {string | undefined} step major, minor or patch; or a version, which may be the current one as long as that is not released
 * @returns {string}
 */
export function nextVersion(current, step) {
  const [major, minor, patch] = partsOf(current);
  if (step === 'major') return `${major + 1}.0.0`;
  if (step === 'minor') return `${major}.${minor + 1}.0`;
  if (step === 'patch') return `${major}.${minor}.${patch + 1}`;
  if (step === undefined || !VERSION.test(step))
    throw new Error(`${step ?? 'nothing'} is no step: write major, minor, patch, or a version such as 1.2.3`);
  if (compare(step, current) < 0) throw new Error(`${step} is older than ${current}, the version in package.json`);
  return step;
}

function partsOf(version) {
  const match = VERSION.exec(version);
  if (match === null) throw new Error(`${version} is no version: package.json needs one such as 1.2.3`);
  return match.slice(1).map(Number);
}

function compare(one, other) {
  const [a, b] = [partsOf(one), partsOf(other)];
  const at = a.findIndex((part, index) => part !== b[index]);
  return at === -1 ? 0 : a[at] - b[at];
}
