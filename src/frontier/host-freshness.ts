// What a recrawled crawl has learned about a host: how fast its pages change, and whether its validators and signals
// can be trusted. A server that says "not modified" about a modified page can only be caught by requests without
// validators.

import type { SignalKind } from '../ports/visits.ts'
import { type ChangeEvidence, posteriorOf, rateConfidence } from './recrawl/change-rate.ts'
import { addToGroup, EMPTY_GROUP, groupIncrement, priorOfGroups, type RateGroup } from './recrawl/priors.ts'
import { groupNames, isSourceGroup } from './recrawl/rate-groups.ts'
import {
  addToAccuracy,
  gainOfSignal,
  NEW_SIGNAL,
  NO_SIGNAL_GAIN,
  type SignalAccuracies,
  type SignalGain,
} from './recrawl/signals.ts'
import type { EndedVisit, RevisitHistory } from './revisit-history.ts'

/** Counts over all URLs of the host. */
export interface ValidatorRecord {
  /** Comparisons of content with validators. */
  tests: number
  /** Changes of content that came with new validators, and changes that came with the old ones. */
  honest: number
  lied: number
}

export interface HostFreshness extends ValidatorRecord {
  rates: RateGroup
  signals: SignalAccuracies
}

/** A host and the groups of its URLs by name. */
export interface KnownHost {
  host: HostFreshness
  groups: ReadonlyMap<string, RateGroup>
}

/** What an observation adds to the figures of its host; rates as in `groupIncrement`. */
export interface HostIncrement extends ValidatorRecord {
  rates: RateGroup
  /** Increments of each group of its URL. */
  groupRates: RateGroup
  signals: Readonly<Record<SignalKind, SignalGain>>
}

export const NEW_HOST: HostFreshness = {
  tests: 0,
  honest: 0,
  lied: 0,
  rates: EMPTY_GROUP,
  signals: { sitemap: NEW_SIGNAL, feed: NEW_SIGNAL },
}

const NO_TEST: ValidatorRecord = { tests: 0, honest: 0, lied: 0 }

/** Tests that a host has to have before its validators are used. */
const FIRST_TESTS = 3
/** Later, one in so many visits is a test. */
const VISITS_PER_TEST = 20
/** A change with the old validators is forgiven after this many changes that came with new ones. */
const HONEST_PER_LIE = 20

/** Whether the next request for a URL is conditional. */
export function sendsValidators(
  { tests, honest, lied }: ValidatorRecord,
  url: { id: number; visits: number },
): boolean {
  return tests >= FIRST_TESTS && honest >= lied * HONEST_PER_LIE && (url.id + url.visits) % VISITS_PER_TEST !== 0
}

/**
 * Prior for a URL of this group before it was seen twice. Changes of a host's pages say little about its sitemaps and
 * feeds, and vice versa.
 */
export function priorOf({ host, groups }: KnownHost, rateGroup: string): ChangeEvidence {
  const narrower = groupNames(rateGroup).map((name) => groups.get(name) ?? EMPTY_GROUP)
  return priorOfGroups(isSourceGroup(rateGroup) ? narrower : [host.rates, ...narrower])
}

/** What an observation adds to the figures of its host; null if nothing. */
export function hostIncrement(
  before: RevisitHistory | null,
  end: EndedVisit,
  { after, prior, host }: { after: RevisitHistory; prior: ChangeEvidence; host: HostFreshness },
): HostIncrement | null {
  if (before === null || before.visits === 0 || after.visits === before.visits) return null
  const elapsedMs = after.visitedAt - before.visitedAt
  const isChanged = after.observedHash !== before.observedHash
  const posterior = posteriorOf(before, prior)
  const confidence = rateConfidence(before, posterior)
  const gainOf = (kind: SignalKind) => {
    const at = before.signals[kind]
    if (at === null) return NO_SIGNAL_GAIN
    return gainOfSignal(host.signals[kind], { hasSignal: at > 0, isChanged, posterior, confidence, elapsedMs })
  }
  const signals = { sitemap: gainOf('sitemap'), feed: gainOf('feed') }
  const groupRates = groupIncrement(elapsedMs, after, prior)
  const rates = isSourceGroup(after.rateGroup) ? EMPTY_GROUP : groupRates
  return { ...testValidators(before, end, after), rates, groupRates, signals }
}

export function addToHost(host: HostFreshness, gain: HostIncrement): HostFreshness {
  const recordOf = (kind: SignalKind) => addToAccuracy(host.signals[kind], gain.signals[kind])
  return {
    tests: host.tests + gain.tests,
    honest: host.honest + gain.honest,
    lied: host.lied + gain.lied,
    rates: addToGroup(host.rates, gain.rates),
    signals: { sitemap: recordOf('sitemap'), feed: recordOf('feed') },
  }
}

function testValidators(before: RevisitHistory, end: EndedVisit, after: RevisitHistory): ValidatorRecord {
  const hadValidators = before.etag !== null || before.lastModified !== null
  const isTest = hadValidators && before.observedHash !== null && end.state === 'visited' && !end.isNotModified
  if (!isTest) return NO_TEST
  if (after.observedHash === before.observedHash) return { tests: 1, honest: 0, lied: 0 }
  const isSameEtag = end.etag === before.etag
  const isSame = before.etag === null ? isSameEtag && end.lastModified === before.lastModified : isSameEtag
  return { tests: 1, honest: isSame ? 0 : 1, lied: isSame ? 1 : 0 }
}
