// Product tokens (RFC 9309 2.2.1), in lower case. Unlike in the RFC they may contain digits, since some crawlers have
// them.

export const ANY_AGENT = '*'

/** The leading token of `Orbweaver/0.1 (+https://...)`. */
export function productToken(name: string): string {
  return /^[A-Za-z0-9_-]*/.exec(name)?.[0].toLowerCase() ?? ''
}

/** The token of a `User-agent` line: `*` even if words follow it, as search engines do. */
export function parseUserAgentLine(value: string): string {
  return /^\*(?:[ \t]|$)/.test(value) ? ANY_AGENT : productToken(value)
}

/** The names that match a crawler, most specific first: `news-bot-x` also matches `news-bot` and `news`. */
export function candidateTokens(product: string): string[] {
  const tokens: string[] = []
  let token = productToken(product)
  while (token !== '') {
    tokens.push(token)
    token = token.slice(0, Math.max(token.lastIndexOf('-'), 0))
  }
  return [...tokens, ANY_AGENT]
}
