// https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type (first rows of the table).
const HTML_SIGNATURES = [
  '<!doctype html',
  '<html',
  '<head',
  '<script',
  '<iframe',
  '<h1',
  '<div',
  '<font',
  '<table',
  '<a',
  '<style',
  '<title',
  '<b',
  '<body',
  '<br',
  '<p',
  '<!--',
]

// The standard sniffs no more than this many bytes of a resource.
const MAX_SNIFFED_BYTES = 1445
const LONGEST_SIGNATURE = 14

/** Used for a response without a content type. A byte order mark makes it plain text, as in browsers. */
export function sniffHtml(bytes: Uint8Array): boolean {
  const limit = Math.min(bytes.length, MAX_SNIFFED_BYTES)
  let start = 0
  while (start < limit && isWhitespace(bytes[start])) start++
  const end = Math.min(start + LONGEST_SIGNATURE + 1, limit)
  const head = String.fromCharCode(...bytes.subarray(start, end)).toLowerCase()
  return HTML_SIGNATURES.some((signature) => head.startsWith(signature) && endsTag(head.charCodeAt(signature.length)))
}

function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09 || byte === 0x0c
}

function endsTag(code: number): boolean {
  return code === 0x20 || code === 0x3e
}
