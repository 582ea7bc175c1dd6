// Renders pages that need JavaScript in a browser without network access of its own: the document is given, and a
// SubresourceSource answers all other requests of the page.

import type { Validators } from './leases.ts'

/** How a page ended. Without a DOM, the plain HTML of the response is used. */
export const RENDER_OUTCOMES = [
  'rendered',
  /** A script matched a rule for harmful scripts and did not run; `evidence` names the rule. */
  'script_blocked',
  'render_timeout',
  'render_cpu',
  'render_memory',
  'render_dom_size',
  'render_requests',
  'render_response_size',
  /** The page replaced itself, or tried to navigate too often. */
  'render_navigations',
  'render_dialogs',
  'render_windows',
  'render_frames',
  'render_workers',
  'render_storage',
  /** The browser, or the process of the page, died. May be retried. */
  'render_crashed',
  /** A request of the page failed in a way that may pass. Decided by the crawl, which may retry. */
  'render_incomplete',
] as const

export type RenderOutcome = (typeof RENDER_OUTCOMES)[number]

export interface RenderLimits {
  /** Real time from the start of the page, not counting the time its requests wait for their answers. */
  timeMs: number
  /** Real time in total. */
  totalTimeMs: number
  cpuMs: number
  /** Resident memory of the process of the page. */
  memoryMb: number
  domNodes: number
  /** Length of the serialised DOM in UTF-16 code units. */
  htmlChars: number
  /** Requests passed to the SubresourceSource. */
  requests: number
  /** Size limits of one response, and of all together. */
  responseBytes: number
  totalBytes: number
  /** Attempts to leave the page, and history entries it creates. */
  navigations: number
  dialogs: number
  windows: number
  frames: number
  workers: number
  storageBytes: number
  /** Length of one script. */
  scriptChars: number
}

export const DEFAULT_RENDER_LIMITS: RenderLimits = {
  timeMs: 15_000,
  totalTimeMs: 90_000,
  cpuMs: 10_000,
  memoryMb: 512,
  domNodes: 200_000,
  htmlChars: 20_000_000,
  requests: 200,
  responseBytes: 10_000_000,
  totalBytes: 40_000_000,
  navigations: 500,
  dialogs: 20,
  windows: 20,
  frames: 50,
  workers: 8,
  storageBytes: 10_000_000,
  scriptChars: 10_000_000,
}

export interface RenderSettings {
  /** An element or a time in milliseconds to wait for, besides the page settling. */
  waitFor: { selector: string } | { ms: number } | null
  /** Scrolls down step by step until nothing is added. */
  scroll: boolean
  screenshot: boolean
  /** Requests images, media and fonts too. */
  keepImages: boolean
  /** Value of `navigator.userAgent`; null for the browser's own. */
  userAgent: string | null
  limits: RenderLimits
}

export interface RenderRequest {
  url: string
  /** The response that was fetched: headers as received, body without content encoding. */
  response: { status: number; headers: [string, string][]; body: Uint8Array }
  settings: RenderSettings
}

/** The names of CDP's `Network.ResourceType`. */
const RESOURCE_TYPES = [
  'Document',
  'Stylesheet',
  'Image',
  'Media',
  'Font',
  'Script',
  'TextTrack',
  'XHR',
  'Fetch',
  'Prefetch',
  'EventSource',
  'WebSocket',
  'Manifest',
  'SignedExchange',
  'Ping',
  'CSPViolationReport',
  'Preflight',
  'FedCM',
  'Other',
] as const

export type ResourceType = (typeof RESOURCE_TYPES)[number]

/** Whether a script made the request. Its response may then depend on the headers of the page. */
export function isDataRequest(type: ResourceType): boolean {
  return type === 'XHR' || type === 'Fetch'
}

export interface SubresourceRequest {
  url: string
  method: string
  type: ResourceType
  /** Headers as the browser would send them, without cookies. */
  headers: [string, string][]
  body: Uint8Array | null
  /** The page that asks. */
  pageUrl: string
  /** Validators of the cached copy if it has to be validated. The response may then be a 304. */
  validators: Validators | null
}

export interface SubresourceResponse {
  status: number
  /** Headers as received. The browser follows a redirect with a new request. */
  headers: [string, string][]
  /** Body without content encoding. */
  body: Uint8Array
  isFromCache: boolean
  /** Why there is no response: robots.txt, a filter list, an address, a failed request. Null if there is one. */
  blockedReason: string | null
  /** How long to wait before the next request to the host, unless the crawl thread takes care of that itself. */
  gapMs: number
}

/** Answers what a page asks for. Never rejects. */
export interface SubresourceSource {
  fetch(subresourceRequest: SubresourceRequest): Promise<SubresourceResponse>
}

export interface Subrequest {
  url: string
  method: string
  type: ResourceType
  /** Null if there was no response. */
  status: number | null
  bytes: number
  /** Whether the content type is HTML. */
  isHtml: boolean
  isFromCache: boolean
  blockedReason: string | null
}

export interface RenderedPage {
  outcome: RenderOutcome
  /**
   * The DOM after the page settled, with shadow roots as `<template shadowrootmode>`. May be there too if a limit ended
   * the page; null if it could not be read.
   */
  html: string | null
  /** The URL after history.pushState, replaceState and changes of the hash. */
  finalUrl: string
  /** URLs that the page pushed or replaced in its history, without its own. */
  routes: string[]
  /** URLs the page tried to navigate to or open in a window. It was kept where it was. */
  navigations: string[]
  /** WebP. */
  screenshot: Uint8Array | null
  subrequests: Subrequest[]
  /** CPU time of the process of the page; 0 where the system does not tell. */
  cpuMs: number
  /** The rule that matched, or the limit that ended the page. */
  evidence: string | null
}

export interface Renderer {
  /** Rejects only if the renderer is closed (INTERRUPTED) or has no browser (BROWSER_MISSING, BROWSER_FAILED). */
  render(renderRequest: RenderRequest, subresources: SubresourceSource): Promise<RenderedPage>
  /**
   * Clears the cache of responses that pages of the crawl share, since the cached ones may not have been archived.
   */
  forgetResponses(): void
  close(): Promise<void>
}
