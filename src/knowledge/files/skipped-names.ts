const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Folders of version control, of installed packages, and of tools that can make them again. */
const FOLDERS = set(
  `.git .hg .svn .jj .bzr cvs _darcs
  node_modules bower_components jspm_packages .yarn .pnpm-store site-packages __pypackages__ .venv .tox .nox .eggs
  .bundle pods carthage deriveddata .build elm-stuff
  .next .nuxt .svelte-kit .output .turbo .parcel-cache .angular .vite .webpack .expo .nx .docusaurus .vercel .netlify
  __pycache__ .mypy_cache .pytest_cache .ruff_cache .hypothesis .ipynb_checkpoints .gradle .dart_tool .terraform
  .serverless .cache .ccls-cache .idea .vs coverage .nyc_output htmlcov .aws .ssh .gnupg .kube`,
);

/** Folders that are what a tool has made where its file lies beside them. */
const MADE_BESIDE: Readonly<Record<string, RegExp>> = {
  dist: /^(?:package\.json|pyproject\.toml|setup\.py)$/i,
  out: /^package\.json$/i,
  build: /^(?:build\.gradle(?:\.kts)?|CMakeLists\.txt|setup\.py|pyproject\.toml|pubspec\.yaml)$/i,
  target: /^(?:Cargo\.toml|pom\.xml|build\.sbt)$/i,
  bin: /\.(?:cs|fs|vb)proj$/i,
  obj: /\.(?:cs|fs|vb)proj$/i,
  vendor: /^(?:go\.mod|composer\.json)$/i,
  _build: /^(?:mix\.exs|dune-project|rebar\.config)$/i,
  deps: /^mix\.exs$/i,
};

/** Files by which a folder says that it is a cache or an environment of Python. */
const CACHE_MARKS = set('cachedir.tag pyvenv.cfg');

const LOCKS = set(
  `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock gemfile.lock
  composer.lock poetry.lock uv.lock pdm.lock pipfile.lock go.sum go.work.sum flake.lock mix.lock pubspec.lock podfile.lock
  cartfile.resolved package.resolved packages.lock.json gradle.lockfile .terraform.lock.hcl conan.lock`,
);

const SECRETS = set(
  `.npmrc .pypirc .netrc _netrc .pgpass .git-credentials .htpasswd .dockercfg .boto .s3cfg .vault-token .envrc
  id_rsa id_dsa id_ecdsa id_ed25519 id_ed25519_sk id_ecdsa_sk master.key
  credentials.json secrets.json secrets.yml secrets.yaml secrets.toml`,
);

const SECRET_ENDINGS = set('pem key p12 pfx p8 jks keystore kdbx ppk gpg pgp asc tfstate tfvars ovpn mobileprovision');

/** Examples of such files have no secrets: they say what to fill in. */
const EXAMPLE = /\.(?:example|sample|template|dist|defaults?)$/;

const ENVIRONMENT = /^\.env(?:\.|$)|\.env$/;

/** Endings of files that are binary or generated: they are skipped before anything is read. */
const NO_SOURCE_ENDINGS = set(
  `png jpg jpeg gif webp avif bmp ico icns tif tiff psd ai eps heic raw mp3 mp4 m4a m4v wav ogg oga flac aac mov avi mkv webm
  wmv ttf otf woff woff2 eot zip gz tgz bz2 xz zst 7z rar tar jar war ear nupkg whl egg gem crate deb rpm dmg iso img apk aab ipa
  exe dll so dylib a lib o obj bin class pyc pyo pyd wasm node beam elc pdb pdf doc xls ppt xlsx pptx odt ods odp
  db sqlite sqlite3 mdb parquet feather arrow avro orc npy npz pkl pickle h5 hdf5 onnx pt pth safetensors gguf tflite
  map lockb swp swo snap dat pack idx rdb`,
);

const MINIFIED = /[.-]min\.(?:js|mjs|cjs|css)$/;

const NOISE = set('.git .ds_store thumbs.db desktop.ini');

/** Tells whether a folder is never indexed, by its name and what lies beside it. */
export function isSkippedFolder(name: string, siblings: readonly string[]): boolean {
  const plain = name.toLowerCase();
  if (FOLDERS.has(plain)) return true;
  const maker = Object.hasOwn(MADE_BESIDE, plain) ? MADE_BESIDE[plain] : undefined;
  return maker !== undefined && siblings.some((sibling) => maker.test(sibling));
}

/** Tells whether a folder says by what is in it that it is made by a tool. */
export const isMarkedFolder = (names: readonly string[]): boolean =>
  names.some((name) => CACHE_MARKS.has(name.toLowerCase()));

/** Tells whether a file is never indexed, by its name: secrets, locks, what is no text. */
export function isSkippedFile(name: string): boolean {
  const plain = name.toLowerCase();
  if (NOISE.has(plain) || LOCKS.has(plain) || MINIFIED.test(plain)) return true;
  return isSecretFile(plain) || NO_SOURCE_ENDINGS.has(endingOf(plain));
}

function isSecretFile(plain: string): boolean {
  if (EXAMPLE.test(plain)) return false;
  return SECRETS.has(plain) || ENVIRONMENT.test(plain) || SECRET_ENDINGS.has(endingOf(plain));
}

const endingOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
