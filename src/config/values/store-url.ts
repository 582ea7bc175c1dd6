// The URL of a Postgres store, in the syntax of libpq: one or several servers, in the order in which they are tried.
//   postgres://user@a:5432,b:5433/database?target_session_attrs=read-write
// https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS

export interface StoreServer {
  /** Address for messages, such as a:5432. */
  name: string
  /** The URL of this server alone, for the driver. Contains the password. */
  url: string
}

/** Servers that may be used: any, only primaries, or only servers that accept writes. */
export type ServerRole = 'any' | 'primary' | 'read-write'

export interface StoreUrl {
  servers: StoreServer[]
  /** URL without user and password, for messages. */
  location: string
  role: ServerRole
  /** Connect timeout per server; null if the URL does not set it. */
  connectTimeoutMs: number | null
}

/** Why a URL is invalid, and what was expected. */
export interface StoreUrlProblem {
  expected: string
}

export const STORE_URL_EXAMPLE = 'a URL such as postgres://user@host:5432/database'
const SERVERS_EXAMPLE = 'a URL such as postgres://user@a:5432,b:5433/database, with a port per host or one for all'

const FORM = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(\/[^?#]+)(?:\?([^#]*))?$/i
const SERVER = /^(\[[\da-f:.]+\]|[^:[\]\s]*)(?::(\d+))?$/i
const ROLES: readonly ServerRole[] = ['any', 'primary', 'read-write']
/** Parameters of libpq that the driver does not know. */
const ROLE = 'target_session_attrs'
const TIMEOUT = 'connect_timeout'
const DEFAULT_PORT = '5432'
const MAX_PORT = 65_535

export function parseStoreUrl(text: string): StoreUrl | StoreUrlProblem {
  const [, scheme = '', user = '', authority = '', path = '', query = ''] = FORM.exec(text) ?? []
  if (path.length < 2) return { expected: STORE_URL_EXAMPLE }
  const params = new URLSearchParams(query)
  const role = params.get(ROLE)
  const timeout = params.get(TIMEOUT)
  const hosts = params.get('host')
  const ports = params.get('port')
  const places = hosts === null ? readAuthority(authority, ports) : pairPorts(hosts.split(','), ports)
  if (places === null) return { expected: SERVERS_EXAMPLE }
  if (role !== null && !isRole(role)) {
    return { expected: `a URL whose ${ROLE} is read-write, primary or any, since commands write to the store` }
  }
  if (timeout !== null && !/^\d{1,4}$/.test(timeout)) return { expected: `a URL whose ${TIMEOUT} is in seconds` }
  for (const name of [ROLE, TIMEOUT, 'host', 'port']) params.delete(name)
  const servers = places.map(({ host, port }) => ({
    name: `${host || 'localhost'}:${port || DEFAULT_PORT}`,
    url: serverUrl(`${scheme}${user}`, { host, port, isParameter: hosts !== null }, path, params),
  }))
  if (servers.some(({ url }) => URL.parse(url.replace('@/', '@host/')) === null)) return { expected: STORE_URL_EXAMPLE }
  return {
    servers,
    location: `${servers.map(({ name }) => name).join(',')}${path}`,
    // A standby among several servers is there to take over, not to be written to.
    role: role ?? (servers.length > 1 ? 'read-write' : 'any'),
    connectTimeoutMs: timeout === null || Number(timeout) === 0 ? null : Number(timeout) * 1000,
  }
}

/** The URL for output that ends up in logs. The password then comes from PGPASSWORD or a password file. */
export function withoutPassword(text: string): string {
  const [start = '', query] = text.split(/\?(.*)/s)
  const params = query?.split('&').filter((param) => !/^password=/i.test(param))
  const clean = start.replace(/^(\w+:\/\/[^/:@]*):[^/]*@/, '$1@')
  return params === undefined || params.length === 0 ? clean : `${clean}?${params.join('&')}`
}

interface Place {
  host: string
  port: string
}

function isRole(text: string): text is ServerRole {
  return ROLES.some((role) => role === text)
}

function readAuthority(authority: string, ports: string | null): Place[] | null {
  const places = authority.split(',').map((one) => {
    const [found, host = '', port = ''] = SERVER.exec(one) ?? []
    return found === undefined || Number(port) > MAX_PORT ? null : { host, port }
  })
  const known = places.filter((place) => place !== null)
  if (known.length < places.length || (known.length > 1 && known.some(({ host }) => host === ''))) return null
  if (ports === null) return known
  return known.some(({ port }) => port !== '')
    ? null
    : pairPorts(
        known.map(({ host }) => host),
        ports,
      )
}

/** Pairs hosts with one port for all, or one port for each. */
function pairPorts(hosts: string[], ports: string | null): Place[] | null {
  const list = ports === null ? [''] : ports.split(',')
  if (list.length !== 1 && list.length !== hosts.length) return null
  if (list.some((port) => !/^\d*$/.test(port) || Number(port) > MAX_PORT) || hosts.includes('')) return null
  return hosts.map((host, i) => ({ host, port: list[i] ?? list[0] ?? '' }))
}

function serverUrl(
  start: string,
  { host, port, isParameter }: Place & { isParameter: boolean },
  path: string,
  params: URLSearchParams,
): string {
  const own = verifyCertificate(params)
  if (isParameter) own.set('host', host)
  if (isParameter && port !== '') own.set('port', port)
  const authority = isParameter ? '' : `${host}${port === '' ? '' : `:${port}`}`
  return `${start}${authority}${path}${own.size === 0 ? '' : `?${own}`}`
}

/**
 * All encrypted sslmodes verify the certificate and its host name, except no-verify. The driver does the same today,
 * but warns that it will change.
 */
function verifyCertificate(params: URLSearchParams): URLSearchParams {
  const own = new URLSearchParams(params)
  const isVerified = ['prefer', 'require', 'verify-ca'].includes(own.get('sslmode') ?? '')
  if (isVerified && own.get('uselibpqcompat') !== 'true') own.set('sslmode', 'verify-full')
  return own
}
