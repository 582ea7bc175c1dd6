const ACRONYMS = /\b(?:dns|http|ip|pdf|tls|url)\b/g

/** A state or reason as text: dns_failed is "DNS failed". */
export function spellCode(code: string): string {
  return code.replaceAll('_', ' ').replaceAll(ACRONYMS, (acronym) => acronym.toUpperCase())
}
