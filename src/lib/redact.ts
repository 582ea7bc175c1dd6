// Removes secrets from logs and messages: tokens, cookies, and passwords and user names in URLs.

export const REDACTED = '***'
const SECRET_NAMES = /^(authorization|cookie|set_cookie|token|password|secret|api_key)$/
/** A parameter is secret if its name is one of these words or contains one as a part, as in X-Amz-Signature. */
const SECRET_WORDS = [
  'token',
  'key',
  'apikey',
  'secret',
  'pass',
  'passwd',
  'password',
  'pwd',
  'auth',
  'jwt',
  'credentials?',
  'sig',
  'signature',
  'sid',
  'session',
  'sessionid',
  'jsessionid',
  'phpsessid',
].join('|')
/** A secret parameter of a URL, or of a URL encoded inside another one. */
const PARAMETER = new RegExp(
  `((?:[?&;]|%3f|%26)(?:code|(?:[\\w.-]*[-_.])?(?:${SECRET_WORDS})(?:[-_.][\\w.-]*)?)(?:=|%3d))(?:(?!%26)[^?&#;\\s"'])+`,
  'gi',
)
const PATTERNS: [RegExp, string][] = [
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#"']*@/gi, `$1${REDACTED}@`],
  [/\b(orbw|whsec)_[\w-]+/g, `$1_${REDACTED}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${REDACTED}`],
  [/\b((?:set-)?cookie|authorization)(["']?\s*[:=]\s*)[^\r\n]+/gi, `$1$2${REDACTED}`],
  [PARAMETER, `$1${REDACTED}`],
]
/** The user info before the host, also in links that are misspelt but work in browsers. */
const LINK_USER = /^(\s*(?:[a-z][a-z0-9+.-]*:[\\/]*|[\\/]{2,}))[^\\/?#]*@/i

export function redact(text: string): string {
  // Fast path: most texts are names and numbers.
  if (!/[:=_ ]/.test(text)) return text
  let clean = text
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement)
  return clean
}

/** Redacts a link as written in a page. */
export function redactLink(text: string): string {
  return redact(text.replace(LINK_USER, `$1${REDACTED}@`))
}

/** Whether the value of a field with this name is a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(name.toLowerCase().replaceAll('-', '_'))
}
