// Recognizes host names and addresses of the loopback interface.

import { ipVersion } from '../../lib/ip-version.ts'

export function isLoopbackName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/^\[|\]$/g, '')
  if (ipVersion(name) === 4) return name.startsWith('127.')
  if (ipVersion(name) === 6) return name === '::1' || /^::ffff:127\./.test(name)
  return name === 'localhost' || name.endsWith('.localhost')
}

/** The host name of a Host header without the port; null if it is invalid. */
export function hostnameOf(host: string): string | null {
  const url = /[/\\@?#\s]/.test(host) ? null : URL.parse(`http://${host}`)
  return url?.hostname ? url.hostname : null
}
