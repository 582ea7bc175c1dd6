// The environment of the system that has runs: which variables are read here, for what, and which are not. Those that
// are read count where runs are made, in a process that serves the API; workers hear of them with the crawl.

type Environment = Record<string, string | undefined>

/** For what a request leaves out. */
export const RUN_VARIABLES = {
  maxPages: 'CRAWL_MAX_PAGES',
  maxDepth: 'CRAWL_MAX_DEPTH',
  scopeMode: 'CRAWL_SCOPE_MODE',
  includeDocuments: 'CRAWL_INCLUDE_DOCUMENTS',
  followRedirects: 'CRAWL_FOLLOW_REDIRECTS',
  demoDelayMs: 'CRAWL_DEMO_DELAY_MS',
  requestTimeoutMs: 'CRAWL_REQUEST_TIMEOUT_MS',
  maxRetries: 'MAX_RETRIES',
} as const

/** How hosts are treated: as the server treats them, unless these say otherwise. Native names, as in a config file. */
export const FETCH_VARIABLES: Record<string, string> = {
  concurrency: 'FETCH_CONCURRENCY',
  per_host: 'FETCH_CONCURRENCY_PER_HOST',
  delay: 'FETCH_MIN_GAP_PER_HOST_MS',
  cooldown: 'FETCH_HOST_COOLDOWN_BASE_MS',
  retry_delay: 'RETRY_BASE_DELAY_MS',
  user_agent: 'CRAWLER_USER_AGENT',
}

/** What there is in their place. */
const IGNORED_VARIABLES: Record<string, string> = {
  WORKER_CONCURRENCY: 'FETCH_CONCURRENCY says how much is under way at a time, and --threads how many threads do it.',
  FETCH_GAP_JITTER_MS: 'The gap of a host is kept as it is, and nothing random is added.',
  FETCH_HOST_COOLDOWN_MAX_MS: 'The longest pause is ten times the first, FETCH_HOST_COOLDOWN_BASE_MS.',
  RETRY_MAX_DELAY_MS: 'A retry waits five minutes at most, or as long as a Retry-After of up to an hour says.',
  WORKER_METRICS_PORT: 'The port for metrics is --health-port, or ORBWEAVER_HEALTH_PORT.',
}
const READ_BY_API_ONLY = 'It is read by the process that serves the API, and goes with the crawl to the workers.'

export interface IgnoredVariable {
  variable: string
  why: string
}

/** Those that are set and that such a process does not heed. */
export function findIgnoredVariables(env: Environment, servesApi: boolean): IgnoredVariable[] {
  const read = [...Object.values(RUN_VARIABLES), ...Object.values(FETCH_VARIABLES)]
  const elsewhere = servesApi ? [] : read.map((variable) => ({ variable, why: READ_BY_API_ONLY }))
  const nowhere = Object.entries(IGNORED_VARIABLES).map(([variable, why]) => ({ variable, why }))
  return [...nowhere, ...elsewhere].filter(({ variable }) => isSet(env[variable]))
}

export function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}
