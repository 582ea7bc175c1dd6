// The key of a URL in the index: 128 bits, so that collisions do not occur.

import { hash } from 'node:crypto'

export function urlKey(url: string): string {
  return hash('sha1', url).slice(0, 32)
}
