// The environment variables of the other system. They are read by the process that serves the API and stored with each
// run, so workers do not need them. WORKER_METRICS_PORT is read by every process (config/load-config.ts).

type Environment = Record<string, string | undefined>

/** Defaults of settings that a request omits. */
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

/** Politeness settings, by the names of a config file. The server's own settings are the defaults. */
export const FETCH_VARIABLES: Record<string, string> = {
  concurrency: 'FETCH_CONCURRENCY',
  per_host: 'FETCH_CONCURRENCY_PER_HOST',
  delay: 'FETCH_MIN_GAP_PER_HOST_MS',
  jitter: 'FETCH_GAP_JITTER_MS',
  cooldown: 'FETCH_HOST_COOLDOWN_BASE_MS',
  cooldown_max: 'FETCH_HOST_COOLDOWN_MAX_MS',
  retry_delay: 'RETRY_BASE_DELAY_MS',
  retry_max_delay: 'RETRY_MAX_DELAY_MS',
  user_agent: 'CRAWLER_USER_AGENT',
}

/**
 * URLs processed at a time. Each request belongs to one of them, so the lower of this and FETCH_CONCURRENCY applies.
 */
export const WORKER_CONCURRENCY = 'WORKER_CONCURRENCY'

const READ_BY_API_ONLY = 'Only the process that serves the API reads it; workers get the value with the crawl.'

export interface IgnoredVariable {
  variable: string
  why: string
}

/** The variables that are set but ignored by this process. */
export function findIgnoredVariables(env: Environment, servesApi: boolean): IgnoredVariable[] {
  const read = [...Object.values(RUN_VARIABLES), ...Object.values(FETCH_VARIABLES), WORKER_CONCURRENCY]
  if (servesApi) return []
  return read.filter((variable) => isSet(env[variable])).map((variable) => ({ variable, why: READ_BY_API_ONLY }))
}

export function isSet(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}
