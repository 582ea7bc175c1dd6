// Indexes hosts and fingerprints as terms, so that a search on one site is a single index lookup, however large other
// sites are. They start with characters that no word contains.

import { type FingerprintHalves, quartersOf } from '../rank/fingerprint.ts'
import { hostOf } from '../url-parts.ts'

const EXACT = '\ue000'
const BELOW = '\ue001'
const QUARTER = '\ue002'
const FIRST_SIGN = 0xe100
const NO_TERM = /[^0-9a-z\u0080-\uffff]/g
const MAX_LABELS = 8

/** Terms for the host and each of its parent domains. */
export function siteTerms(url: string): string {
  const host = hostOf(url)
  const labels = labelsOf(nameOf(host))
  const above = labels.map((_, i) => toSiteTerm(BELOW, labels.slice(i).join('.')))
  return [toSiteTerm(EXACT, host), ...above].join(' ')
}

export interface SiteMatch {
  match: string
  /** The match finds no documents of other hosts. */
  isExact: boolean
}

/** `hosts` as in filters: a leading dot includes subdomains. Null if there are none. */
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

/** Two fingerprints that differ in at most three bits share a quarter. */
export function fingerprintTerms(fingerprint: FingerprintHalves | null): string {
  return fingerprint === null ? '' : quarterTerms(fingerprint).join(' ')
}

/** Matches at least all documents with a near-duplicate fingerprint. */
export function fingerprintMatch(fingerprintHalves: FingerprintHalves): string {
  return anyOf(quarterTerms(fingerprintHalves))
}

function quarterTerms(fingerprintHalves: FingerprintHalves): string[] {
  return quartersOf(fingerprintHalves).map((quarter) => QUARTER + quarter.toString(36))
}

function anyOf(terms: string[]): string {
  return `(${terms.map((term) => `"${term}"`).join(' OR ')})`
}

/** The last labels, as many as are indexed. */
function labelsOf(name: string): string[] {
  return name.split('.').slice(-MAX_LABELS)
}

/** Host name without the port. */
function nameOf(host: string): string {
  return host.replace(/:\d*$/, '')
}

function toSiteTerm(start: string, host: string): string {
  return start + host.toLowerCase().replace(NO_TERM, (sign) => String.fromCharCode(FIRST_SIGN + sign.charCodeAt(0)))
}
