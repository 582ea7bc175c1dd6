// Texts for changes of pages: kinds, noise, and why there is nothing to compare.

import type { RouteResponse } from '../../../src/api/contract/routes.ts'
import type { Tone } from '../components/display/Badge.tsx'
import { formatNumber } from './format.ts'

export type Change = RouteResponse<'listChanges'>['items'][number]
export type ChangeKind = Change['kind']
export type ChangeCounts = RouteResponse<'countChanges'>
export type Comparison = Pick<RouteResponse<'getChange'>, 'diff' | 'problem'>
export type TextDiff = NonNullable<Comparison['diff']>
export type DiffLine = TextDiff['hunks'][number]['lines'][number]

export const CHANGE_STYLES: Record<ChangeKind, { label: string; tone: Tone }> = {
  changed: { label: 'Changed', tone: 'warn' },
  added: { label: 'New', tone: 'good' },
  removed: { label: 'Removed', tone: 'bad' },
  returned: { label: 'Returned', tone: 'good' },
  redirected: { label: 'Redirected', tone: 'accent' },
}

/** Kinds in the order in which they are shown. */
export const CHANGE_KINDS = Object.keys(CHANGE_STYLES) as ChangeKind[]

export function isChangeKind(text: string): text is ChangeKind {
  return text in CHANGE_STYLES
}

export function countAll(counts: ChangeCounts): number {
  return CHANGE_KINDS.reduce((sum, kind) => sum + counts[kind], 0)
}

/** 12 changed, 2 removed */
export function kindCountText(kind: ChangeKind, count: number): string {
  return `${formatNumber(count)} ${CHANGE_STYLES[kind].label.toLowerCase()}`
}

export const IGNORED_TEXTS: Record<NonNullable<DiffLine['ignored']>, string> = {
  clock: 'Clock or counter',
  learned: 'Changes on every visit',
  rule: 'Ignored by a rule',
}

export const DIFF_PROBLEM_TEXTS: Record<NonNullable<Comparison['problem']>, string> = {
  not_archived: 'The texts cannot be compared: one of the versions was not archived.',
  gone: 'The texts cannot be compared: one of the versions is no longer archived.',
  unreadable: 'The texts cannot be compared: the archive of one of the versions is damaged.',
  no_text: 'The texts cannot be compared: this type of content has no text.',
  away: 'The texts cannot be compared now: the worker that has them is unreachable. Try again later.',
}
