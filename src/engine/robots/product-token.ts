// Product tokens (RFC 9309 2.2.1), lower case. Digits are kept beyond the RFC, for the crawlers that have them.

export const ANY_AGENT = '*'

/** The token that `Orbweaver/0.1 (+https://...)` starts with. */
export function productToken(name: string): string {
  return /^[A-Za-z0-9_-]*/.exec(name)?.[0].toLowerCase() ?? ''
}

/** The token of a `User-agent` line: `*` also when words follow it, as search engines read it. */
export function parseUserAgentLine(value: string): string {
  return /^\*(?:[ \t]|$)/.test(value) ? ANY_AGENT : productToken(value)
}

/** The names a crawler answers to, most specific first: `news-bot-x` is also `news-bot` and `news`. */
export function candidateTokens(product: string): string[] {
  const tokens: string[] = []
  let token = productToken(product)
  while (token !== '') {
    tokens.push(token)
    token = token.slice(0, Math.max(token.lastIndexOf('-'), 0))
  }
  return [...tokens, ANY_AGENT]
}
