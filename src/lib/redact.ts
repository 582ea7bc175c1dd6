// Keeps secrets out of what is written for people: tokens, passwords and user names in urls, cookies.

export const HIDDEN = '***'
const SECRET_NAMES = /^(authorization|cookie|set_cookie|token|password|secret|api_key)$/
const PATTERNS: [RegExp, string][] = [
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"']*@/gi, `$1${HIDDEN}@`],
  [/\b(orbw|whsec)_[\w-]+/g, `$1_${HIDDEN}`],
  [/\b(bearer|basic)\s+[\w.~+/=-]+/gi, `$1 ${HIDDEN}`],
  [/\b((?:set-)?cookie|authorization)(["']?\s*[:=]\s*)[^\r\n]+/gi, `$1$2${HIDDEN}`],
  [
    /([?&;](?:access_token|token|api_key|apikey|key|password|passwd|secret|signature|sid|session)=)[^&#\s"']+/gi,
    `$1${HIDDEN}`,
  ],
]

export function redact(text: string): string {
  // Most texts are names and numbers.
  if (!/[:=_ ]/.test(text)) return text
  let clean = text
  for (const [pattern, put] of PATTERNS) clean = clean.replace(pattern, put)
  return clean
}

/** A field with such a name has nothing but a secret in it. */
export function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(name.toLowerCase().replaceAll('-', '_'))
}
