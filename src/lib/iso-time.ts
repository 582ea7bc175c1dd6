// Formats times as ISO 8601 in UTC.

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** Time for display, without the time zone, which is UTC: 2026-11-18 04:33. */
export function minuteText(ms: number): string {
  return isoTime(ms).slice(0, 16).replace('T', ' ')
}

export function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms)
}
