// Guesses the encoding of a page or text that names none, as browsers do: UTF-8 is UTF-8, even with a few broken bytes, and
// the rest is decided by the frequencies of bytes.

import { isAscii, isUtf8 } from 'node:buffer'
import { createRequire } from 'node:module'
import type * as Chardet from 'chardet'
import { lazy } from '../../../lib/lazy.ts'

/** Text that is not ASCII, with the start of its word. Bounded, so that any input takes linear time. */
const FOREIGN_TEXT = /[^<>\s]{0,16}[\x80-\xff][^<>]{0,200}/g
const SEARCHED_BYTES = 64 * 1024
/** Nearly all of 1,680 pages of a manual in 11 encodings were read correctly, for 0.6 ms of CPU a page (2026-11). */
const SAMPLE_CHARS = 1000
/** Fewer bytes above ASCII, such as a few quotation marks, prove nothing. */
const MIN_FOREIGN_BYTES = 12
/** Loading it takes 9 ms, and few crawls need it. */
const chardet = lazy(() => createRequire(import.meta.url)('chardet') as typeof Chardet)
const DEFAULT_ENCODING = 'windows-1252'
const UTF8_CHARACTER = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}/g
/** A UTF-8 page may contain text pasted in another encoding. Text of other encodings is almost never valid UTF-8. */
const UTF8_CHARACTERS_PER_BROKEN_BYTE = 4
/** Switches from ASCII to Japanese characters in ISO-2022-JP, which has no bytes above ASCII. */
const JAPANESE_ESCAPES = ['\x1b$B', '\x1b$@']

/** `findEncoding` returns the WHATWG name for a label, or null. */
export function guessEncoding(bytes: Buffer, findEncoding: (label: string) => string | null): string {
  if (isUtf8(bytes) || isCutUtf8(bytes)) return isJapaneseAscii(bytes) ? 'iso-2022-jp' : 'utf-8'
  const start = bytes.toString('latin1', 0, SEARCHED_BYTES)
  if (isMostlyUtf8(start)) return 'utf-8'
  const sample = takeSample(start)
  if (countForeignBytes(sample) < MIN_FOREIGN_BYTES) return DEFAULT_ENCODING
  const guessed = findEncoding(chardet().analyse(Buffer.from(sample, 'latin1'))[0]?.name ?? '')
  return guessed === null || guessed === 'replacement' || guessed.startsWith('utf-16') ? DEFAULT_ENCODING : guessed
}

function isJapaneseAscii(bytes: Buffer): boolean {
  return JAPANESE_ESCAPES.some((sequence) => bytes.includes(sequence, 0, 'latin1')) && isAscii(bytes)
}

function countForeignBytes(text: string): number {
  return text.match(/[\x80-\xff]/g)?.length ?? 0
}

function isMostlyUtf8(text: string): boolean {
  const characters = text.match(UTF8_CHARACTER) ?? []
  const broken = countForeignBytes(text) - characters.reduce((sum, { length }) => sum + length, 0)
  return characters.length > 0 && characters.length >= broken * UTF8_CHARACTERS_PER_BROKEN_BYTE
}

function takeSample(text: string): string {
  let sample = ''
  for (const [foreign] of text.matchAll(FOREIGN_TEXT)) {
    sample += `${foreign} `
    if (sample.length >= SAMPLE_CHARS) break
  }
  return sample.slice(0, SAMPLE_CHARS)
}

// A body truncated at the size limit may end inside a character. The whole characters before it must be valid.
function isCutUtf8(bytes: Buffer): boolean {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0xc2 || byte > 0xf4) continue
    const whole = bytes.subarray(0, bytes.length - back)
    return isUtf8(whole) && !isAscii(whole)
  }
  return false
}
