import type { ContentType } from '../content-type.ts'

/** XML of no kind that is known: data, of which nobody can tell what is text. */
export const XML = {
  name: 'xml',
  mediaTypes: ['application/xml', 'text/xml'],
  signature: null,
  roots: {},
  isInZip: null,
  isValid: () => true,
  isPage: false,
  isHeavy: () => false,
  extract: null,
} as const satisfies ContentType
