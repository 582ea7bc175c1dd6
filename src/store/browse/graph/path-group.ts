// Groups of URLs by host and the first segments of their path. A group contains the URLs that continue after its label;
// a label that ends in a slash contains those whose path ends there: at depth 2, `a.test/x/y` has /x/y and everything
// below it, and `a.test/x/` has only /x.

/** The first segments of the path of a URL. */
export function pathSegments(url: string, max: number): string[] {
  const from = url.indexOf('/', url.indexOf('//') + 2)
  const query = url.indexOf('?')
  const end = query === -1 ? url.length : query
  const segments: string[] = []
  for (let at = from; at !== -1 && at < end && segments.length < max; ) {
    const next = url.indexOf('/', at + 1)
    const stop = next === -1 || next > end ? end : next
    if (stop > at + 1) segments.push(url.slice(at + 1, stop))
    at = stop
  }
  return segments
}

export function pathGroupLabel(host: string, url: string, depth: number): string {
  if (depth === 0) return host
  const segments = pathSegments(url, depth)
  return segments.length < depth ? [host, ...segments, ''].join('/') : [host, ...segments].join('/')
}

export interface PathGroup {
  host: string
  has(url: string): boolean
}

/** Parses a label. */
export function parsePathGroup(label: string): PathGroup {
  const [host = '', ...segments] = label.split('/')
  const isEnd = segments.at(-1) === ''
  const wanted = isEnd ? segments.slice(0, -1) : segments
  const isWanted = (url: string) => {
    const found = pathSegments(url, wanted.length + 1)
    return (!isEnd || found.length === wanted.length) && wanted.every((segment, i) => segment === found[i])
  }
  return { host, has: isWanted }
}
