// Names and addresses by which only this machine is reached.

import { isIP } from 'node:net'

export function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  if (isIP(name) === 4) return name.startsWith('127.')
  if (isIP(name) === 6) return name === '::1' || /^::ffff:127\./.test(name)
  return name === 'localhost' || name.endsWith('.localhost')
}

/** The name in a Host header or an origin, without its port; null when it is none. */
export function hostnameOf(host: string): string | null {
  const url = /[/\\@?#\s]/.test(host) ? null : URL.parse(`http://${host}`)
  return url?.hostname ? url.hostname : null
}
