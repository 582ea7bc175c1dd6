// Parses the Retry-After header (RFC 9110, 10.2.3).

/** All three date forms of RFC 9110, 5.6.7. The asctime form has no time zone; it means GMT. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}(, \d| [A-Z][a-z]{2} )/
const ASCTIME = /^[A-Z][a-z]{2} /

/** Time to wait; 0 if the header is absent or invalid. */
export function parseRetryAfterMs(header: string | null, now: number): number {
  if (header === null) return 0
  const text = header.trim()
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  const date = HTTP_DATE.test(text) ? Date.parse(ASCTIME.test(text) ? `${text} GMT` : text) : Number.NaN
  return Number.isNaN(date) ? 0 : Math.max(0, date - now)
}
