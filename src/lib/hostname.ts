/** Normalises the host of a URL: removes the root dot, and the brackets of an address. */
export function normaliseHostname(hostname: string): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return hostname.toLowerCase().replace(/\.$/, '')
}
