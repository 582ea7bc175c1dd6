// The sort keys of a URL in an index of archived pages (SURT): the host reversed, without `www`, then path and sorted
// query, in lower case. ReplayWeb.page looks a folder up with its final slash (getSurt of warcio.js), pywb without.

export function toSurts(url: string): string[] {
  const { hostname, port, pathname, search } = new URL(url.replace(/^(https?:\/\/)www\d*\./, '$1').toLowerCase())
  const host = hostname.split('.').reverse().join(',')
  const query = search === '' ? '' : `?${search.slice(1).split('&').sort().join('&')}`
  const paths = pathname.length > 1 && pathname.endsWith('/') ? [pathname, pathname.slice(0, -1)] : [pathname]
  return paths.map((path) => `${host}${port === '' ? '' : `:${port}`})${path}${query}`)
}
