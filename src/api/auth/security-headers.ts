// Headers that every answer has, so that a browser makes nothing of it that it should not.

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** For what is no page. */
export const DATA_CSP = "default-src 'none'; frame-ancestors 'none'"

/** For the web app: its own files only; the layout of graphs runs in a worker made from a blob. */
export const WEB_APP_CSP = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** For what is no page, all of them. */
export const DATA_SECURITY_HEADERS = { ...COMMON_HEADERS, 'content-security-policy': DATA_CSP }

export function addSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(COMMON_HEADERS)) headers.set(name, value)
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', DATA_CSP)
}
