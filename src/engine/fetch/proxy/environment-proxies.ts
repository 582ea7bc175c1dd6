// Proxies from the environment, as curl reads them: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in lower case first.

import { BlockList } from 'node:net'
import { parseAllowlistEntry } from '../../../config/values/allowlist-entry.ts'
import { type ProxyServer, parseProxyServer } from '../../../config/values/proxy-entry.ts'
import { AppError } from '../../../lib/errors.ts'
import { normaliseHostname } from '../../../lib/hostname.ts'
import { ipVersion } from '../../../lib/ip-version.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** The proxy for a URL; null if there is none. */
export function proxiesFromEnvironment(env: Environment): (url: URL) => ProxyServer | null {
  const forAll = readProxy(env, 'all_proxy')
  const byProtocol = new Map([
    ['http:', readProxy(env, 'http_proxy') ?? forAll],
    ['https:', readProxy(env, 'https_proxy') ?? forAll],
  ])
  const isExcepted = readExceptions(readVariable(env, 'no_proxy') ?? '')
  return (url) => (isExcepted(url) ? null : (byProtocol.get(url.protocol) ?? null))
}

function readVariable(env: Environment, name: string): string | null {
  return env[name] || env[name.toUpperCase()] || null
}

function readProxy(env: Environment, name: string): ProxyServer | null {
  const text = readVariable(env, name)
  if (text === null) return null
  const server = parseProxyServer(text)
  if (server !== null) return server
  // The value is not shown, since it may contain a password.
  throw new AppError(
    'BAD_CONFIG',
    `The environment variable ${name.toUpperCase()} is not the URL of a proxy, such as http://proxy:3128. Correct it, or leave out --proxy env.`,
  )
}

/** "*", names with their subdomains, addresses and ranges, each with an optional port. */
function readExceptions(text: string): (url: URL) => boolean {
  const entries = text.split(/[\s,]+/).filter(Boolean)
  if (entries.includes('*')) return () => true
  const ranges = new BlockList()
  const names: { name: string; port: string | null }[] = []
  for (const entry of entries) {
    const range = parseAllowlistEntry(entry)
    if (range.kind === 'range') {
      ranges.addSubnet(range.net, range.bits, range.family)
      continue
    }
    const [, name = '', port = null] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    names.push({ name: normaliseHostname(name), port })
  }
  return ({ hostname, port, protocol }) => {
    const host = normaliseHostname(hostname)
    const family = ipVersion(host)
    if (family !== 0 && ranges.check(host, family === 4 ? 'ipv4' : 'ipv6')) return true
    const actualPort = port || (protocol === 'https:' ? '443' : '80')
    return names.some((entry) => {
      const isNamed = host === entry.name || (family === 0 && host.endsWith(`.${entry.name}`))
      return isNamed && (entry.port === null || entry.port === actualPort)
    })
  }
}
