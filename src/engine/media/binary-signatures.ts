// Recognises files that are not text by their first bytes.

/** Formats that servers are known to mislabel. Supported content types have their signatures in their own files. */
const SIGNATURES: readonly [bytes: string, mediaType: string][] = [
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['PK\x03\x04', 'application/zip'],
  ['Rar!\x1a\x07', 'application/vnd.rar'],
  ['7z\xbc\xaf\x27\x1c', 'application/x-7z-compressed'],
  ['ID3\x03', 'audio/mpeg'],
  ['ID3\x04', 'audio/mpeg'],
  ['OggS\0', 'application/ogg'],
  ['\x1a\x45\xdf\xa3', 'video/webm'],
  ['\0asm', 'application/wasm'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
  ['\x7fELF', 'application/x-elf'],
]

const FIRST_BYTES: ReadonlySet<number> = new Set(SIGNATURES.map(([bytes]) => bytes.charCodeAt(0)))

export function binaryMediaType(body: Buffer): string | null {
  if (!FIRST_BYTES.has(body[0] ?? -1)) return null
  return SIGNATURES.find(([bytes]) => beginsWith(body, bytes))?.[1] ?? null
}

/** `bytes` has one character per byte. */
export function beginsWith(body: Buffer, bytes: string): boolean {
  for (let at = 0; at < bytes.length; at++) if (body[at] !== bytes.charCodeAt(at)) return false
  return body.length >= bytes.length
}

// https://mimesniff.spec.whatwg.org/#reading-the-resource-header and #binary-data-byte
const MAX_SNIFFED_BYTES = 1445

/** Whether the body contains bytes that do not occur in text. UTF-16 is recognised by its byte order mark. */
export function isBinary(body: Buffer): boolean {
  if (beginsWith(body, '\xfe\xff') || beginsWith(body, '\xff\xfe')) return false
  const end = Math.min(body.length, MAX_SNIFFED_BYTES)
  for (let at = 0; at < end; at++) if (isBinaryByte(body[at] ?? 0)) return true
  return false
}

/**
 * Control characters except tab, line feed, form feed, carriage return and escape, which terminals and ISO-2022-JP use.
 */
function isBinaryByte(byte: number): boolean {
  return byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d && byte !== 0x1b
}
