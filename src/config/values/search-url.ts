// Where a cluster is and how its indices are named: the value of --search.
//   opensearch://user:password@host:9200,host:9200/prefix?shards=2&replicas=1
// opensearchs:// uses TLS. Elasticsearch has the same API.

export interface SearchLocation {
  /** Base URLs of the nodes, without credentials. */
  nodes: readonly string[]
  user: string
  password: string
  /** Prefix of index names; also the name of the alias that searches use. */
  prefix: string
  /** Number of shards per monthly index. */
  shards: number
  /** Copies of each shard. */
  replicas: number
  /** How soon a written document can be found. */
  refreshMs: number
}

export const SEARCH_URL_EXAMPLE =
  'a URL such as opensearch://host:9200 or opensearchs://user:password@host:9200,host:9200/web-crawler?shards=2&replicas=1'

const DEFAULT_PREFIX = 'web-crawler'
const DEFAULT_PORT = 9200
const URL_PATTERN = /^opensearch(s?):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\?([^#]*))?$/
const NODE_PATTERN = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i
/** Names of indices are in lower case. */
const PREFIX_PATTERN = /^[a-z][a-z0-9_-]{0,99}$/
const DEFAULTS = { shards: 1, replicas: 1, refreshMs: 1000 }
const PARAMETERS = new Map<string, { name: keyof typeof DEFAULTS; min: number; max: number }>([
  ['shards', { name: 'shards', min: 1, max: 1024 }],
  ['replicas', { name: 'replicas', min: 0, max: 20 }],
  ['refresh', { name: 'refreshMs', min: 100, max: 3_600_000 }],
])

/** Null if the text is not such a URL. */
export function parseSearchUrl(text: string): SearchLocation | null {
  const match = URL_PATTERN.exec(text)
  if (match === null) return null
  const [, tls = '', credentials = '', hosts = '', prefix = '', query = ''] = match
  const nodes = hosts.split(',')
  const name = prefix === '' ? DEFAULT_PREFIX : prefix
  const numbers = parseNumbers(query)
  const login = parseCredentials(credentials)
  if (!nodes.every(isNode) || !PREFIX_PATTERN.test(name) || numbers === null || login === null) return null
  const scheme = tls === '' ? 'http' : 'https'
  const withPort = (node: string) => (/:\d+$/.test(node) ? node : `${node}:${DEFAULT_PORT}`)
  return { nodes: nodes.map((node) => `${scheme}://${withPort(node)}`), ...login, prefix: name, ...numbers }
}

function isNode(node: string): boolean {
  const port = NODE_PATTERN.exec(node)
  return port !== null && Number(port[1] ?? DEFAULT_PORT) <= 65_535 && Number(port[1] ?? DEFAULT_PORT) > 0
}

function parseCredentials(text: string): Pick<SearchLocation, 'user' | 'password'> | null {
  const [user = '', ...password] = text.split(':')
  try {
    return { user: decodeURIComponent(user), password: decodeURIComponent(password.join(':')) }
  } catch {
    return null
  }
}

function parseNumbers(query: string): typeof DEFAULTS | null {
  const values = { ...DEFAULTS }
  for (const [param, text] of new URLSearchParams(query)) {
    const parameter = PARAMETERS.get(param)
    const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
    if (parameter === undefined || !(value >= parameter.min && value <= parameter.max)) return null
    values[parameter.name] = value
  }
  return values
}

/** Credentials of the URL, or of the environment. */
export function withEnvironment(location: SearchLocation, env: Readonly<Record<string, string | undefined>>) {
  if (location.user !== '') return location
  return { ...location, user: env['OPENSEARCH_USERNAME'] ?? '', password: env['OPENSEARCH_PASSWORD'] ?? '' }
}
