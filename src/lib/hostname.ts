/** One spelling for a host of a url: without the dot of the root, or the brackets of an address. */
export function normaliseHostname(hostname: string): string {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return hostname.toLowerCase().replace(/\.$/, '')
}
