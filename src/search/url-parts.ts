// Parts of canonical urls, by position: parsing each again would cost more than all else about it.

/** With its port, if it has one; as everywhere in the store. */
export function hostOf(url: string): string {
  const start = url.indexOf('//') + 2
  return url.slice(start, pathStart(url))
}

/** Where the slash of the path is. */
export function pathStart(url: string): number {
  const at = url.indexOf('/', url.indexOf('//') + 2)
  return at === -1 ? url.length : at
}
