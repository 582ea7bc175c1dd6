// Functions of the program that runs a crawl, called while it crawls. They decide about URLs and pages; whatever they do,
// a URL ends in a state with a reason.

import type { FieldValue } from './pages.ts'
import type { UrlKind } from './visits.ts'

/** A URL that is about to be requested. */
export interface HookRequest {
  url: string
  kind: UrlKind
  depth: number
  /** Earlier visits since it was queued. */
  attempts: number
}

/** A link of an HTML page. */
export interface HookLink {
  url: string
  /** The page with the link, and its depth. */
  pageUrl: string
  pageDepth: number
  /** The `rel` attribute in lower case; '' if it is missing. */
  rel: string
}

/** An HTML page that was received. */
export interface HookPage {
  url: string
  status: number
  contentType: string
  depth: number
  /** For a rendered page, the DOM. */
  html: string
  /** Fields extracted by the rules of the crawl. */
  fields: Record<string, FieldValue>
}

/** Reasons of URLs whose hook threw, returned something invalid, or took too long. */
export const HOOK_PROBLEMS = ['hook_failed', 'hook_timeout'] as const
export type HookProblem = (typeof HOOK_PROBLEMS)[number]

/** The reason of URLs that a hook leaves out, and of links that it does not follow. */
export const HOOK_REFUSED = 'hook_refused'

export type RequestDecision = 'allowed' | typeof HOOK_REFUSED | HookProblem
export type FollowDecision = { follow: boolean[] } | { problem: HookProblem }
export type FieldDecision = { fields: Record<string, FieldValue> | null } | { problem: HookProblem }

/** The hooks as a crawl thread calls them: many URLs or links at a time. */
export interface Hooks {
  /** The hooks that the program has. The others are not called. */
  readonly has: { onRequest: boolean; shouldFollow: boolean; extract: boolean }
  onRequests(requests: HookRequest[]): Promise<RequestDecision[]>
  shouldFollow(links: HookLink[]): Promise<FollowDecision>
  extract(page: HookPage): Promise<FieldDecision>
}
