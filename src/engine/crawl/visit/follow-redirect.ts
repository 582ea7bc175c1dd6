// Records where a redirect leads, admits its target as a link, and returns the link's key.

import { copyString } from '../../../lib/copy-string.ts'
import type { FetchResponse } from '../../fetch/fetch-result.ts'
import { LinkResolver } from '../../url/link-resolver.ts'
import { normaliseUrl } from '../../url/normalise-url.ts'
import { NO_LINK_KEYS } from '../links/link-key-buffer.ts'
import type { FetchedReport } from './visit-reports.ts'
import type { Visit, VisitDependencies } from './visit-steps.ts'

export function followRedirect(
  report: FetchedReport,
  { url }: Visit,
  result: FetchResponse,
  { linkAdmission, followRedirects }: VisitDependencies,
): Uint8Array {
  const location = result.location ?? ''
  const target = normaliseUrl(location, url.url)
  report.facts.redirectTo = 'url' in target ? target.url : copyString(location)
  if (!followRedirects) return NO_LINK_KEYS
  // Session IDs are kept: some servers add one to the URL by a redirect, and without it the page would redirect to
  // itself.
  const resolver = new LinkResolver(url.url, true)
  const { id: urlId, kind, depth, hops } = url
  const page = linkAdmission.openPage({ urlId, pageUrl: url.url, resolver, depth, hops: hops + 1, kind })
  linkAdmission.addLinks(page, [{ href: location, rel: '' }], 0)
  const { found, linkKeys } = linkAdmission.closePage(page)
  report.found = found
  if (url.ancestry !== null)
    report.traps = { skeletons: url.ancestry.skeletons, held: null, hasEndlessPaths: false, lineHashes: [] }
  return linkKeys
}
