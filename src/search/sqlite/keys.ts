// Keys of columns that are made from urls and hosts.

import { hostOf } from '../url-parts.ts'

const [FIRST_PRIME, SECOND_PRIME] = [0x85ebca77, 0xc2b2ae3d]

/** 53 bits of a url (cyrb53). No secret: whoever looks one up compares the text too where it matters. */
export function urlHash(url: string): number {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < url.length; i++) {
    const code = url.charCodeAt(i)
    high = Math.imul(high ^ code, FIRST_PRIME)
    low = Math.imul(low ^ code, SECOND_PRIME)
  }
  high = Math.imul(high ^ (low >>> 15), FIRST_PRIME) ^ Math.imul(low ^ (high >>> 13), SECOND_PRIME)
  low = Math.imul(low ^ (high >>> 16), FIRST_PRIME) ^ Math.imul(high ^ (low >>> 15), SECOND_PRIME)
  return (high & 0x1f_ffff) * 2 ** 32 + (low >>> 0)
}

/** `www.example.test:81` is `test.example.www.:81`: everything below a host begins like it, on any port. */
export function hostKey(host: string): string {
  const [name = '', port] = host.split(':')
  return `${name.split('.').reverse().join('.')}.${port === undefined ? '' : `:${port}`}`
}

export function hostKeyOf(url: string): string {
  return hostKey(hostOf(url))
}

/** The least text after all that begin like this; null when there is none. */
export function endOfPrefix(prefix: string): string | null {
  const letters = Array.from(prefix)
  for (;;) {
    const last = letters.pop()?.codePointAt(0)
    if (last === undefined) return null
    // Surrogates are no characters of their own.
    const next = last === 0xd7ff ? 0xe000 : last + 1
    if (next <= 0x10ffff) return letters.join('') + String.fromCodePoint(next)
  }
}
