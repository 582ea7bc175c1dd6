// Parameters as the dialect reads them.

import { z } from 'zod'

/** Numbers beyond the bounds are brought within them, and what is no number is left out: so its clients expect it. */
export function clampedNumber(fallback: number, min: number, max: number) {
  return z
    .string()
    .optional()
    .transform((text) => {
      const number = Math.floor(Number(text ?? fallback))
      return Number.isNaN(number) ? fallback : Math.min(max, Math.max(min, number))
    })
}

/** In any case. */
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
