import { nameFilter } from '../../core/access/name-filter.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Variables that decide which code a program loads or which programs it runs, regardless of the command. With one of them a
 * command that the config allows runs another one. Arguments may do that too, but only of programs that offer it.
 */
const CHOOSES_CODE: ReadonlySet<string> = new Set([
  // The system: where programs, libraries and their parts are found.
  ...words(
    'PATH PATHEXT COMSPEC LIBPATH SHLIB_PATH GCONV_PATH LOCPATH NLSPATH GLIBC_TUNABLES OPENSSL_CONF OPENSSL_ENGINES',
  ),
  ...words(
    'OPENSSL_MODULES GTK_MODULES GTK_PATH GIO_EXTRA_MODULES GIO_MODULE_DIR QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH',
  ),
  // Variables that tell programs where their settings are, which may name commands.
  ...words('HOME USERPROFILE APPDATA LOCALAPPDATA XDG_CONFIG_HOME XDG_CONFIG_DIRS'),
  // Programs that other programs start.
  ...words(
    'SHELL EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN LESSCLOSE SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH CVS_RSH HGEDITOR',
  ),
  // Shells.
  ...words('BASH_ENV ENV SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND ZDOTDIR FPATH PSMODULEPATH'),
  // Languages, their runtimes and their tools.
  ...words('NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE ELECTRON_RUN_AS_NODE BUN_OPTIONS BUN_INSPECT_PRELOAD'),
  ...words(
    'PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONPLATLIBDIR PYTHONBREAKPOINT PYTHONWARNINGS PYTHONINSPECT',
  ),
  ...words('PYTHONEXECUTABLE PYTHONPYCACHEPREFIX PERL5OPT PERL5LIB PERLLIB PERL5DB PERL5SHELL'),
  ...words('RUBYOPT RUBYLIB RUBYSHELL GEM_HOME GEM_PATH PHPRC PHP_INI_SCAN_DIR'),
  ...words('JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JDK_JAVAC_OPTIONS JAVA_OPTS JAVA_HOME CLASSPATH'),
  ...words('MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS GRADLE_USER_HOME ANT_OPTS SBT_OPTS'),
  ...words('DOTNET_STARTUP_HOOKS DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE DOTNET_ROOT MSBUILDSDKSPATH'),
  ...words('GOFLAGS GOENV GOROOT GOTOOLDIR RUSTC RUSTDOC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS'),
  ...words('R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER R_LIBS R_LIBS_USER R_LIBS_SITE'),
  ...words('JULIA_LOAD_PATH JULIA_DEPOT_PATH ERL_LIBS ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ELIXIR_ERL_OPTIONS'),
  ...words('TCLLIBPATH AWKPATH AWKLIBPATH EMACSLOADPATH VIMINIT EXINIT VIMRUNTIME MAKEFLAGS GNUMAKEFLAGS MAKEFILES'),
]);

const PREFIXES = words(`
  LD_ DYLD_ _RLD BASH_FUNC_ GIT_ NPM_CONFIG_ YARN_ PNPM_CONFIG_ BUNDLE_ CARGO_ LUA_INIT LUA_PATH LUA_CPATH
  CORECLR_ COR_ COMPLUS_ VIADUCT_
`);

/** Git is told who writes a commit, and to ask no questions. */
const HARMLESS = /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT)$/;

/** Tells, by the globs of `allowEnv`, whether a client may set a variable for a program that it starts. */
export function variableRules(allowEnv: readonly string[]): (name: string) => boolean {
  const isAllowed = nameFilter({ allow: allowEnv, deny: [] });
  return (name) => !choosesCode(name) || isAllowed(name);
}

/** Returns true if a variable chooses code. Ignores case, because Windows and npm do. */
function choosesCode(name: string): boolean {
  const plain = name.toUpperCase();
  if (HARMLESS.test(plain)) return false;
  return CHOOSES_CODE.has(plain) || PREFIXES.some((prefix) => plain.startsWith(prefix));
}
