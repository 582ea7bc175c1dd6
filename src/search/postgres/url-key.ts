// What a url is known by in the index: 128 bits, so that no two share one.

import { hash } from 'node:crypto'

export function urlKey(url: string): string {
  return hash('sha1', url).slice(0, 32)
}
