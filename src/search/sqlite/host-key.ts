// Column keys derived from URLs and hosts.

import { hostOf } from '../url-parts.ts'

/** `www.example.test:81` becomes `test.example.www.:81`, so that all subdomains share a prefix, on any port. */
export function hostKey(host: string): string {
  const [name = '', port] = host.split(':')
  return `${name.split('.').reverse().join('.')}.${port === undefined ? '' : `:${port}`}`
}

export function urlHostKey(url: string): string {
  return hostKey(hostOf(url))
}

/** The least string greater than all strings with this prefix; null if there is none. */
export function prefixUpperBound(prefix: string): string | null {
  const letters = Array.from(prefix)
  for (;;) {
    const last = letters.pop()?.codePointAt(0)
    if (last === undefined) return null
    // Surrogates are not characters.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    if (next <= 0x10ffff) return letters.join('') + String.fromCodePoint(next)
  }
}
