import type { ContentType } from '../content-type.ts'
import { isZip, zipMimetype } from '../zip-signature.ts'

const MEDIA_TYPE = 'application/vnd.oasis.opendocument.text'

export const ODT = {
  name: 'odt',
  mediaTypes: [MEDIA_TYPE],
  signature: null,
  roots: {},
  isInZip: (zip) => zipMimetype(zip) === MEDIA_TYPE,
  isValid: isZip,
  isPage: false,
  isHeavy: () => true,
  extract: (body, { url, contentType, readDocument }) => readDocument({ type: 'odt', url, contentType, body }),
} as const satisfies ContentType
