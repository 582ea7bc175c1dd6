// Query parameters with the parsing rules of this API.

import { z } from 'zod'

/** Clamps numbers to the bounds and ignores invalid ones, as clients of this API expect. */
export function clampedNumber(fallback: number, min: number, max: number) {
  return z
    .string()
    .optional()
    .transform((text) => {
      const number = Math.floor(Number(text ?? fallback))
      return Number.isNaN(number) ? fallback : Math.min(max, Math.max(min, number))
    })
}

/** Case-insensitive. */
export function lowercaseEnum<const W extends readonly [string, ...string[]]>(words: W) {
  return z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(words))
}

export function uppercaseEnum<const W extends readonly [string, ...string[]]>(words: W) {
  return z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(words))
}

export const runParams = z.object({ id: z.string().min(1).max(64) })
