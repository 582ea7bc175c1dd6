// Reads a UTF-8 page without decoding all of it: as a string with one character per byte, because markup is ASCII.
// Only values and text that are kept are decoded. A page of 97 KB becomes such a string in 8 us, and takes 137 us to
// decode: with two bytes per character it is too large for V8's young generation (2026-11).

import { isAscii, isUtf8 } from 'node:buffer'

/** Code units decoded in one call. */
const CHUNK = 256

const decoded = new Uint16Array(CHUNK)

/** Whether reading one character per byte differs from decoding, and saves something. */
export function isWorthKeepingEncoded(bytes: Buffer): boolean {
  return !isAscii(bytes) && isUtf8(bytes)
}

/** The text of a string with one character per byte. */
export function decodeUtf8Chars(chars: string): string {
  return Buffer.from(chars, 'latin1').toString('utf8')
}

/** The end of the character that `pos` is inside of, or `pos`. */
export function characterEnd(codes: Uint16Array, pos: number, end: number): number {
  while (pos < end && isContinuation(codes[pos] ?? 0)) pos++
  return pos
}

/** The start of the character that `pos` is inside of, or `pos`. */
export function characterStart(codes: Uint16Array, pos: number): number {
  while (pos > 0 && isContinuation(codes[pos] ?? 0)) pos--
  return pos
}

/** Passes valid UTF-8 to a sink as UTF-16; most of it is ASCII and passed on as it is. */
export function passUtf8(codes: Uint16Array, start: number, end: number, sink: Sink): void {
  while (start < end) {
    let at = start
    while (at < end && (codes[at] ?? 0) < 0x80) at++
    if (at > start) sink.add(codes, start, at)
    start = at < end ? decodeRun(codes, at, end, sink) : end
  }
}

interface Sink {
  add(codes: Uint16Array, start: number, end: number): void
}

/** Decodes up to the next ASCII character, or as much as fits; returns the position after it. */
function decodeRun(codes: Uint16Array, at: number, end: number, sink: Sink): number {
  let length = 0
  while (at < end && length < CHUNK - 1) {
    const lead = codes[at] ?? 0
    if (lead < 0x80) break
    const second = (codes[at + 1] ?? 0) & 0x3f
    if (lead < 0xe0) {
      decoded[length++] = ((lead & 0x1f) << 6) | second
      at += 2
    } else if (lead < 0xf0) {
      decoded[length++] = ((lead & 0x0f) << 12) | (second << 6) | ((codes[at + 2] ?? 0) & 0x3f)
      at += 3
    } else {
      const low = (((codes[at + 2] ?? 0) & 0x3f) << 6) | ((codes[at + 3] ?? 0) & 0x3f)
      const point = ((lead & 0x07) << 18) | (second << 12) | low
      decoded[length++] = 0xd7c0 + (point >> 10)
      decoded[length++] = 0xdc00 | (point & 0x3ff)
      at += 4
    }
  }
  sink.add(decoded, 0, length)
  return at
}

function isContinuation(code: number): boolean {
  return (code & 0xc0) === 0x80
}
