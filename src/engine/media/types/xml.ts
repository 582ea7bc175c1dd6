import type { ContentType } from '../content-type.ts'

/** XML of an unknown kind: data from which no text can be extracted. */
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
