import { normaliseUrl } from '../../engine/url/normalise-url.ts'
import { AppError } from '../../lib/errors.ts'
import type { Pages, PageVersion } from '../../ports/pages.ts'

/**
 * URLs under which an archive may have a page, best first: URLs of pages of a crawl with --hash-routes have a
 * fragment, all others have none. Empty if the text is not the URL of a web page.
 */
export function archivedUrls(text: string): string[] {
  const targets = [normaliseUrl(text, undefined, true), normaliseUrl(text)]
  return [...new Set(targets.flatMap((target) => ('url' in target ? target.url : [])))]
}

/** All versions of a page, oldest first. */
export async function readHistory(url: string, pages: Pick<Pages, 'history'>): Promise<PageVersion[]> {
  const urls = archivedUrls(url)
  if (urls.length === 0) throw new AppError('BAD_SEED', `"${url}" is not an http or https URL.`)
  for (const candidate of urls) {
    const versions = await pages.history(candidate)
    if (versions.length > 0) return versions
  }
  return []
}
