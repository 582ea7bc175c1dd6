// Reads the first number of a text as people write it: 1,299.00 and 1.299,00, 12 345, -3, 5%.

const NUMBER = /[-+\u2212]?\s?(?:\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+|\d+)(?:[.,'’]\d+)*/u

/** Null if there is no number. `lang` decides whether 1.299 is more than a thousand. */
export function parseNumber(text: string, lang: string | null): number | null {
  const found = NUMBER.exec(text)?.[0]
  if (found === undefined) return null
  const sign = /^[-\u2212]/u.test(found) ? -1 : 1
  const digits = found.replace(/[^\d.,]/gu, '')
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (last === -1) return sign * Number(digits)
  const isDecimal = isDecimalSeparator(digits, last, lang)
  const whole = isDecimal ? digits.slice(0, last) : digits
  const fraction = isDecimal ? digits.slice(last + 1) : ''
  return sign * Number(`${whole.replace(/\D/g, '')}.${fraction}`)
}

function isDecimalSeparator(digits: string, at: number, lang: string | null): boolean {
  const separator = digits[at] ?? ''
  const isRepeated = digits.indexOf(separator) !== at
  if (isRepeated) return false
  const other = separator === '.' ? ',' : '.'
  const hasOther = digits.includes(other)
  const isGroup = digits.length - at - 1 === 3 && at > 0 && at <= 3
  // If both separators occur, the last one separates decimals. A single one with three digits behind it may be either.
  return hasOther || !isGroup || separator === decimalSeparatorOf(lang)
}

function decimalSeparatorOf(lang: string | null): string {
  try {
    const parts = new Intl.NumberFormat(lang ?? 'en').formatToParts(1.5)
    return parts.find(({ type }) => type === 'decimal')?.value ?? '.'
  } catch {
    // The page names a language that does not exist.
    return '.'
  }
}
