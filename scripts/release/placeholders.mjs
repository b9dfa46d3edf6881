/** The placeholder for the owner of the repository until there is one. */
const PLACEHOLDER = /\bOWNER\b/;
const FIELDS = ['author', 'bugs', 'homepage', 'repository'];

/**
 * Throws if package.json does not say yet whose package it is and where its repository lies.
 * @param {object} manifest
 */
export function refusePlaceholders(manifest) {
  const open = FIELDS.filter(
    (field) => manifest[field] === undefined || PLACEHOLDER.test(JSON.stringify(manifest[field])),
  );
  if (open.length === 0) return;
  throw new Error(
    `package.json has placeholders in ${open.join(', ')}: put the owner of the repository where OWNER stands`,
  );
}

/**
 * Returns the https url of the repository, without `.git`.
 * @param {object} manifest
 */
export function repositoryUrl(manifest) {
  return manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}
