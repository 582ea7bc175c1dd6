// What a crawl with --recrawl has learned about a host: how fast its pages change, and whether its validators tell the
// truth. A server that says "not modified" of a page that was modified can only be caught by requests without validators.

import type { ChangeEvidence } from './recrawl/change-rate.ts'
import { EMPTY_GROUP, gainOfGroup, priorOfGroups, type RateGroup } from './recrawl/priors.ts'
import type { RevisitHistory, VisitEnd } from './revisit-plan.ts'

/** Counts over all URLs of the host. */
export interface ValidatorRecord {
  /** Comparisons of content with validators. */
  tests: number
  /** Changes of content that came with new validators, and those that came with the old ones. */
  honest: number
  lied: number
}

export interface HostFreshness extends ValidatorRecord {
  rates: RateGroup
}

export const NEW_HOST: HostFreshness = { tests: 0, honest: 0, lied: 0, rates: EMPTY_GROUP }

/** Before the validators of a host are used. */
const FIRST_TESTS = 3
/** Later, one in so many visits is a test. */
const VISITS_PER_TEST = 20
/** A lie is forgiven after so many changes that were announced. */
const HONEST_PER_LIE = 20

/** Whether the next request for a URL is conditional. */
export function sendsValidators(
  { tests, honest, lied }: ValidatorRecord,
  url: { id: number; visits: number },
): boolean {
  return tests >= FIRST_TESTS && honest >= lied * HONEST_PER_LIE && (url.id + url.visits) % VISITS_PER_TEST !== 0
}

/** What is known of a URL of this host before it was seen twice. */
export function priorOfHost({ rates }: HostFreshness): ChangeEvidence {
  return priorOfGroups([rates])
}

/** What a look adds to the record of its host; `rates` as `gainOfGroup`. */
export function hostGain(
  before: RevisitHistory | null,
  end: VisitEnd,
  { after, prior }: { after: RevisitHistory; prior: ChangeEvidence },
): HostFreshness {
  if (before === null || before.visits === 0 || after.visits === before.visits) return NEW_HOST
  const rates = gainOfGroup(after.visitedAt - before.visitedAt, after, prior)
  return { ...testValidators(before, end, after), rates }
}

function testValidators(before: RevisitHistory, end: VisitEnd, after: RevisitHistory): ValidatorRecord {
  const hadValidators = before.etag !== null || before.lastModified !== null
  const isTest = hadValidators && before.seenHash !== null && end.state === 'visited' && !end.isNotModified
  if (!isTest) return { tests: 0, honest: 0, lied: 0 }
  if (after.seenHash === before.seenHash) return { tests: 1, honest: 0, lied: 0 }
  const isSameEtag = end.etag === before.etag
  const isSame = before.etag === null ? isSameEtag && end.lastModified === before.lastModified : isSameEtag
  return { tests: 1, honest: isSame ? 0 : 1, lied: isSame ? 1 : 0 }
}

export function isEmptyGain({ tests, rates }: HostFreshness): boolean {
  return tests === 0 && rates.weight === 0
}
