// An entry of --proxy: a proxy for all hosts, or for hosts that match a pattern.

import { findHostPatternProblem } from '../policies/host-pattern.ts'

/** `socks5h` lets the proxy resolve names, as `http` and `https` always do. With `socks5` we resolve them. */
const DEFAULT_PORTS = { http: 80, https: 443, socks5: 1080, socks5h: 1080 } as const
export type ProxyScheme = keyof typeof DEFAULT_PORTS

export interface ProxyServer {
  scheme: ProxyScheme
  /** Host name without brackets. */
  hostname: string
  port: number
  /** Null if the proxy needs no credentials. */
  credentials: { user: string; password: string } | null
  /** URL without user and password, for display. */
  name: string
}

export interface ProxyEntry {
  /** A pattern of hosts; null: all others. */
  host: string | null
  /** `direct`: no proxy; `env`: the proxies that environment variables name. */
  via: ProxyServer | 'direct' | 'env'
}

/** "URL", "HOST=URL", "HOST=direct" or "env"; null if invalid. */
export function parseProxyEntry(text: string): ProxyEntry | null {
  if (text === 'env') return { host: null, via: 'env' }
  const [, host = null, rest = text] = /^([^=/@]+)=(.*)$/s.exec(text) ?? []
  if (host !== null && findHostPatternProblem(host.toLowerCase()) !== null) return null
  const via = host !== null && rest === 'direct' ? rest : parseProxyServer(rest)
  return via === null ? null : { host: host?.toLowerCase() ?? null, via }
}

/** "host:port" is an HTTP proxy, as for curl. */
export function parseProxyServer(text: string): ProxyServer | null {
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (!hasScheme && !/:\d+\/?$/.test(text)) return null
  const url = URL.parse(hasScheme ? text : `http://${text}`)
  if (url === null) return null
  const scheme = url.protocol.slice(0, -1)
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (!isProxyScheme(scheme) || hostname === '' || url.search + url.hash !== '' || !/^\/?$/.test(url.pathname))
    return null
  const credentials = readCredentials(url)
  if (credentials === 'bad') return null
  const port = Number(url.port || DEFAULT_PORTS[scheme])
  return { scheme, hostname, port, credentials, name: `${scheme}://${url.hostname}:${port}` }
}

/** The entry without user and password. */
export function maskProxyEntry(text: string, mask: string): string {
  const entry = parseProxyEntry(text)
  if (entry === null) return mask
  const { host, via } = entry
  const prefix = host === null ? '' : `${host}=`
  if (typeof via === 'string') return `${prefix}${via}`
  return `${prefix}${via.credentials === null ? via.name : via.name.replace('://', `://${mask}@`)}`
}

function isProxyScheme(scheme: string): scheme is ProxyScheme {
  return Object.hasOwn(DEFAULT_PORTS, scheme)
}

/** Reads user and password. Each has at most 255 bytes in SOCKS, and no control characters in HTTP. */
function readCredentials({ username, password }: URL): ProxyServer['credentials'] | 'bad' {
  if (username === '' && password === '') return null
  try {
    const credentials = { user: decodeURIComponent(username), password: decodeURIComponent(password) }
    const isUsable = Object.values(credentials).every((text) => Buffer.byteLength(text) <= 255 && !/\p{Cc}/u.test(text))
    return isUsable ? credentials : 'bad'
  } catch {
    return 'bad'
  }
}
