// The header fields that HPACK knows beforehand (RFC 7541, appendix A), and the numbers of header fields.

/** The first number of a response's own fields, after the static ones. */
export const FIRST_DYNAMIC = 62

const WITH_VALUES: readonly [name: string, value: string][] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
]

const NAMES = `accept-language accept-ranges accept access-control-allow-origin age allow authorization cache-control
  content-disposition content-encoding content-language content-length content-location content-range content-type
  cookie date etag expect expires from host if-match if-modified-since if-none-match if-range if-unmodified-since
  last-modified link location max-forwards proxy-authenticate proxy-authorization range referer refresh retry-after
  server set-cookie strict-transport-security transfer-encoding user-agent vary via www-authenticate`

/** Field number n is at n - 1. */
export const STATIC_FIELDS: readonly (readonly [name: string, value: string])[] = [
  ...WITH_VALUES,
  ...NAMES.split(/\s+/).map((name) => [name, ''] as const),
]

/** The first field with each name. */
const NUMBERS = new Map(STATIC_FIELDS.map(([name], i) => [name, i + 1] as const).reverse())

/** 0 if there is none. */
export function staticNumber(name: string): number {
  return NUMBERS.get(name) ?? 0
}
