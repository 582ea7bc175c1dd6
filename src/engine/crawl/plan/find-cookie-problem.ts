// Finds cookies of --cookie that would never be sent.

import { parseCookieLine } from '../../../config/values/cookie-line.ts'
import { isPublicSuffix } from '../../../lib/site.ts'

/** A sentence about the first cookie for a domain that no site owns; null if there is none. It has no value of a cookie. */
export function findCookieProblem(lines: readonly string[]): string | null {
  for (const line of lines) {
    const cookie = parseCookieLine(line)
    if (cookie === null || cookie.isHostOnly || !isPublicSuffix(cookie.domain)) continue
    const { domain } = cookie
    return `--cookie has Domain=${domain}, which is a public suffix: sites of different owners share it, so the cookie is never sent. Name the domain of one site, or add HostOnly for the host ${domain} alone.`
  }
  return null
}
