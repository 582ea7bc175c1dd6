import { normaliseUrl } from '../../engine/url/normalise-url.ts'

/**
 * Under which URLs an archive may have a page, best first: the URL of a page of a crawl with --hash-routes has a
 * fragment, any other has none. Empty if the text is no URL of a web page.
 */
export function archivedUrls(text: string): string[] {
  const targets = [normaliseUrl(text, undefined, true), normaliseUrl(text)]
  return [...new Set(targets.flatMap((target) => ('url' in target ? target.url : [])))]
}
