// Keeps secrets out of what is written for people: tokens, passwords and user names in urls, cookies.

export const REDACTED = '***'
const SECRET_NAMES = /^(authorization|cookie|set_cookie|token|password|secret|api_key)$/
/** Words of which one, by itself or beside others as in X-Amz-Signature, tells that a parameter is nobody's business. */
const SECRET_WORDS = [
  ...['token', 'key', 'apikey', 'secret', 'pass', 'passwd', 'password', 'pwd', 'auth', 'jwt', 'credentials?'],
  ...['sig', 'signature', 'sid', 'session', 'sessionid', 'jsessionid', 'phpsessid'],
].join('|')
/** Of a url, or of one that is packed into another. */
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
/** What stands before an at sign where browsers look for the host, however the link is misspelt. */
const LINK_USER = /^(\s*(?:[a-z][a-z0-9+.-]*:[\\/]*|[\\/]{2,}))[^\\/?#]*@/i

export function redact(text: string): string {
  // Most texts are names and numbers.
  if (!/[:=_ ]/.test(text)) return text
  let clean = text
  for (const [pattern, put] of PATTERNS) clean = clean.replace(pattern, put)
  return clean
}

/** For a link as it stands in a page. */
export function redactLink(text: string): string {
  return redact(text.replace(LINK_USER, `$1${REDACTED}@`))
}

/** A field with such a name has nothing but a secret in it. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(name.toLowerCase().replaceAll('-', '_'))
}
