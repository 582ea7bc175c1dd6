import { CHANGEFREQS, type Changefreq } from './sitemap-entry.ts'

const MAX_PRIORITY_LENGTH = 16
const DECIMAL = /^(?:\d+\.?\d*|\.\d+)$/

export function readPriority(text: string): number | null {
  if (text.length > MAX_PRIORITY_LENGTH || !DECIMAL.test(text)) return null
  const priority = Number(text)
  return priority <= 1 ? priority : null
}

export function readChangefreq(text: string): Changefreq | null {
  const lower = text.toLowerCase()
  return CHANGEFREQS.find((changefreq) => changefreq === lower) ?? null
}
