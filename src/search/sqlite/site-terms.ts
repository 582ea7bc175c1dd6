// Hosts and fingerprints as terms, so that "these words on that site" is one look into the index however much there is of
// other sites. No word of a text is such a term: they begin with signs that are part of none.

import { type FingerprintHalves, quartersOf } from '../rank/fingerprint.ts'
import { hostOf } from '../url-parts.ts'

const EXACT = '\ue000'
const BELOW = '\ue001'
const QUARTER = '\ue002'
const FIRST_SIGN = 0xe100
const NO_TERM = /[^0-9a-z\u0080-\uffff]/g
const MAX_LABELS = 8

/** The host, and everything that it is below of, itself too. */
export function siteTerms(url: string): string {
  const host = hostOf(url)
  const labels = labelsOf(nameOf(host))
  const above = labels.map((_, i) => toSiteTerm(BELOW, labels.slice(i).join('.')))
  return [toSiteTerm(EXACT, host), ...above].join(' ')
}

export interface SiteMatch {
  match: string
  /** All documents that fit the match are on these hosts. */
  isExact: boolean
}

/** As conditions name hosts: with a leading dot it and everything below. Null when none is named. */
export function siteMatch(hosts: readonly string[]): SiteMatch | null {
  if (hosts.length === 0) return null
  const terms = hosts.map((host) => {
    if (!host.startsWith('.')) return { term: toSiteTerm(EXACT, host), isExact: true }
    const below = host.slice(1)
    const name = labelsOf(nameOf(below)).join('.')
    return { term: toSiteTerm(BELOW, name), isExact: name === below }
  })
  return { match: anyOf(terms.map(({ term }) => term)), isExact: terms.every(({ isExact }) => isExact) }
}

/** Of two prints that differ in at most three bits, one quarter is the same. */
export function fingerprintTerms(print: FingerprintHalves | null): string {
  return print === null ? '' : quarterTerms(print).join(' ')
}

/** At least all documents whose print is that near. */
export function fingerprintMatch(fingerprintHalves: FingerprintHalves): string {
  return anyOf(quarterTerms(fingerprintHalves))
}

function quarterTerms(fingerprintHalves: FingerprintHalves): string[] {
  return quartersOf(fingerprintHalves).map((quarter) => QUARTER + quarter.toString(36))
}

function anyOf(terms: string[]): string {
  return `(${terms.map((term) => `"${term}"`).join(' OR ')})`
}

/** The last of them, as far as they have terms. */
function labelsOf(name: string): string[] {
  return name.split('.').slice(-MAX_LABELS)
}

/** Without the port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '')
}

function toSiteTerm(start: string, host: string): string {
  return start + host.toLowerCase().replace(NO_TERM, (sign) => String.fromCharCode(FIRST_SIGN + sign.charCodeAt(0)))
}
