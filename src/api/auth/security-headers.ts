// Security headers of every response.

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

/** For responses that are not HTML pages. */
export const DATA_CSP = "default-src 'none'; frame-ancestors 'none'"

/** For the web app: only its own files. The graph layout runs in a worker created from a blob. */
export const WEB_APP_CSP = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** All security headers of responses that are not HTML pages. */
export const DATA_SECURITY_HEADERS = { ...COMMON_HEADERS, 'content-security-policy': DATA_CSP }

export function addSecurityHeaders(headers: Headers): void {
  for (const [name, value] of Object.entries(COMMON_HEADERS)) headers.set(name, value)
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', DATA_CSP)
}
