// The command line of the browser.

export interface FlagOptions {
  profile: string
  isSandboxed: boolean
}

/**
 * Flags that stop requests that are not intercepted. A request that is not intercepted has no proxy it can reach and
 * no name it can resolve, not even the proxy's, so no packet is sent. `<-loopback>` makes the proxy apply to this
 * machine too.
 */
const NETWORK_FLAGS = [
  '--proxy-server=http://no-network.invalid:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--dns-prefetch-disable',
  '--disable-quic',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-client-side-phishing-detection',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--metrics-recording-only',
  '--no-pings',
  '--block-new-web-contents',
]

const QUIET = [
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  '--disable-search-engine-choice-screen',
  '--disable-hang-monitor',
  '--disable-prompt-on-repost',
  '--disable-print-preview',
  '--deny-permission-prompts',
  '--password-store=basic',
  '--use-mock-keychain',
  '--mute-audio',
  '--hide-scrollbars',
  '--log-level=3',
]

/** Flags that save CPU: nothing is displayed, and pages in the background must run as fast as those in front. */
const CHEAP = [
  '--disable-gpu',
  '--disable-3d-apis',
  '--disable-dev-shm-usage',
  '--disable-background-timer-throttling',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-site-isolation-trials',
  '--in-process-gpu',
  // A process less each; the network service has nothing to do.
  '--enable-features=NetworkServiceInProcess2',
]

const DISABLED_FEATURES = [
  'AutofillServerCommunication',
  'BackForwardCache',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'DnsOverHttps',
  'FedCm',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'InterestFeedContentSuggestions',
  'IsolateOrigins',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'RenderDocument',
  'Prerender2',
  'SpareRendererForSitePerProcess',
  'Translate',
  'site-per-process',
]

export function browserFlags({ profile, isSandboxed }: FlagOptions): string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...NETWORK_FLAGS,
    ...QUIET,
    ...CHEAP,
    `--disable-features=${DISABLED_FEATURES.join()}`,
    ...(isSandboxed ? [] : ['--no-sandbox']),
  ]
}
