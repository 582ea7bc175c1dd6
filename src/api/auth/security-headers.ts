// Security headers of every response.

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** Policy of responses that are not HTML pages. */
const DATA_CSP = "default-src 'none'; frame-ancestors 'none'"

/** Policy of the web app: only its own files. The graph layout runs in a worker created from a blob. */
export const WEB_APP_CSP = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Policy of the search page: its own style sheet and script, and frames with archived pages. */
export const SEARCH_PAGE_CSP = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** All security headers of responses that are not HTML pages. */
export const DATA_SECURITY_HEADERS = { ...COMMON_HEADERS, 'content-security-policy': DATA_CSP }

/**
 * Policy of archived pages. They get a unique origin (sandbox), run no scripts, send no forms, and load only what is
 * below `sources`. There is no frame-ancestors, since their frames are archived pages too; they cannot do anything
 * that would be worth a click. `ownScript` is the hash of a script of ours, the only one that may run.
 */
export function replayCsp(sources: readonly string[], ownScript: string | null = null): string {
  const parts = sources.join(' ')
  return [
    ...(ownScript === null ? ['sandbox'] : ['sandbox allow-scripts', `script-src ${ownScript}`]),
    "default-src 'none'",
    `img-src ${parts} data: blob:`,
    `media-src ${parts} data: blob:`,
    `font-src ${parts} data:`,
    `style-src ${parts} 'unsafe-inline'`,
    `frame-src ${parts}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

/** Policy of images, styles, fonts and media of archived pages, also if opened directly. */
export const REPLAY_PART_CSP = "sandbox; default-src 'none'; style-src 'unsafe-inline'"

/** Policy of our messages in place of an archived page. The link to the live page opens a window. */
export const REPLAY_MESSAGE_CSP =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"

/**
 * Archived pages are shown in frames, and pages with an opaque origin load their parts; the token in the path decides
 * who may do so.
 */
export const REPLAY_HEADERS = {
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'x-dns-prefetch-control': 'off',
  'cache-control': 'no-store',
}

export function addSecurityHeaders(headers: Headers, isReplay: boolean): void {
  for (const [name, value] of Object.entries(COMMON_HEADERS)) {
    const isDecided = isReplay && (name === 'x-frame-options' || headers.has(name))
    if (!isDecided) headers.set(name, value)
  }
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', DATA_CSP)
}
