// Hosts as terms of a column of their own, so that "these words on that site" is one look into the index however much
// there is of other sites. No word of a text is such a term: they begin with signs that are part of none.

import { hostOf } from '../url-parts.ts'

const EXACT = '\ue000'
const BELOW = '\ue001'
const FIRST_SIGN = 0xe100
const NO_TERM = /[^0-9a-z\u0080-\uffff]/g
const MAX_LABELS = 8

/** The host, and everything that it is below of, itself too. */
export function siteTerms(url: string): string {
  const host = hostOf(url)
  const labels = nameOf(host).split('.').slice(-MAX_LABELS)
  const above = labels.map((_, i) => toTerm(BELOW, labels.slice(i).join('.')))
  return [toTerm(EXACT, host), ...above].join(' ')
}

/** As conditions name hosts: with a leading dot it and everything below. Null when a term cannot tell. */
export function siteMatch(hosts: readonly string[]): string | null {
  const terms = hosts.map((host) => {
    if (!host.startsWith('.')) return toTerm(EXACT, host)
    const name = host.slice(1)
    const isKnown = name === nameOf(name) && name.split('.').length <= MAX_LABELS
    return isKnown ? toTerm(BELOW, name) : null
  })
  if (terms.length === 0 || terms.includes(null)) return null
  return `{site} : (${terms.map((term) => `"${term}"`).join(' OR ')})`
}

/** Without the port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '')
}

function toTerm(start: string, host: string): string {
  return start + host.toLowerCase().replace(NO_TERM, (sign) => String.fromCharCode(FIRST_SIGN + sign.charCodeAt(0)))
}
