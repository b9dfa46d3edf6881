/** Options of a browser that is started. */
export interface BrowserSwitches {
  /** Folder of the profile. */
  readonly profile: string;
  readonly headless: boolean;
  /** Only `false` if the config says so: a page that breaks out of the renderer is then not confined. */
  readonly sandbox: boolean;
  /** Hosts that the browser never connects to, as `resolverRules` makes them. Empty if there are none. */
  readonly resolverRules?: string | undefined;
}

/** Features that reach out by themselves or put windows before the page. */
const DISABLED_FEATURES = [
  'Translate',
  'MediaRouter',
  'OptimizationHints',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
];

const ALWAYS = [
  // A pipe: any local process can drive a browser that listens on a port.
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-startup-window',
  '--no-service-autorun',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-domain-reliability',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  // UDP would pass neither the guard nor the rules for hosts.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  // Pages in the background go on: an agent waits for them too.
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--metrics-recording-only',
  // Otherwise it asks for the user's keychain.
  '--password-store=basic',
  '--use-mock-keychain',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** Returns the arguments for Chrome, Chromium or Edge. */
export function switchesFor({ profile, headless, sandbox, resolverRules = '' }: BrowserSwitches): readonly string[] {
  return [
    ...ALWAYS,
    `--user-data-dir=${profile}`,
    ...(headless ? ['--headless=new', '--hide-scrollbars', '--mute-audio'] : []),
    ...(sandbox ? [] : ['--no-sandbox']),
    ...(resolverRules === '' ? [] : [`--host-resolver-rules=${resolverRules}`]),
  ];
}
