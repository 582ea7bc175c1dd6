import { MAX_LISTED_FINDINGS } from '../../ports/audits.ts'
import { findSetErrors } from '../hreflang.ts'
import type { Alternate } from '../page-facts.ts'
import type { Rule, RuleContext } from '../rule.ts'
import type { UrlTable } from '../url-table.ts'

/** Pairs of a page and another version of it. With more, return links are not checked. */
const MAX_PAIRS = 1_000_000

export const hreflangErrors: Rule = {
  name: 'hreflang-errors',
  title: 'hreflang errors',
  severity: 'warning',
  why: 'Search engines ignore versions for other languages whose codes, targets or return links are wrong.',
  fix: 'Use codes such as en or en-GB, and let all versions of a page name each other and themselves.',
  needs: 'archive',
  start(context) {
    const { urls, add } = context
    const returnLinks = new ReturnLinks(urls)
    return {
      page({ index, version: { url }, facts }) {
        const isInHeader = /\bhreflang\b/i.test(facts.headers?.get('link') ?? '')
        if (isInHeader) returnLinks.ignore(index)
        if (isInHeader || facts.alternates.length === 0 || !urls.isIndexable(index)) return
        const page = { urlId: urls.idOf(index), url }
        for (const { detail, otherUrl } of findSetErrors(url, facts.alternates)) add({ ...page, otherUrl, detail })
        const usable = facts.alternates.flatMap((alternate) => {
          const target = alternate.url === null || alternate.url === url ? -1 : urls.indexOfUrl(alternate.url)
          if (target === -1) return []
          const detail = describeTarget(urls, target, alternate)
          if (detail === null) return [target]
          add({ ...page, otherUrlId: urls.idOf(target), otherUrl: alternate.url, detail })
          return []
        })
        returnLinks.add(index, usable)
      },
      report: ({ url }, index) => returnLinks.setText(index, url),
      end: () => returnLinks.report(context),
    }
  },
}

/** Why a search engine cannot show the version; null if it can. */
function describeTarget(urls: UrlTable, target: number, { lang }: Alternate): string | null {
  const problem = urls.problemOf(target)
  if (problem !== undefined) {
    return `The version for ${lang} ${problem.broken === null ? 'redirects' : `is broken: ${problem.broken}`}`
  }
  return urls.has(target, 'noindex') ? `The version for ${lang} has noindex` : null
}

/** Whether the versions of a page name each other. Pages that could not be read may do so. */
class ReturnLinks {
  readonly #urls: UrlTable
  readonly #targets = new Map<number, readonly number[]>()
  readonly #texts = new Map<number, string>()
  readonly #ignored = new Set<number>()
  #pairs = 0

  constructor(urls: UrlTable) {
    this.#urls = urls
  }

  /** The page names its versions elsewhere. */
  ignore(index: number): void {
    this.#ignored.add(index)
  }

  add(index: number, targets: readonly number[]): void {
    this.#pairs += targets.length
    if (this.#pairs > MAX_PAIRS) return
    this.#targets.set(index, targets)
    for (const page of [index, ...targets]) this.#texts.set(page, '')
  }

  setText(index: number, url: string): void {
    if (this.#texts.has(index)) this.#texts.set(index, url)
  }

  report({ urls, add, countOnly }: RuleContext): void {
    let listed = 0
    for (const { index, target } of this.#missing()) {
      listed += 1
      if (listed > MAX_LISTED_FINDINGS) countOnly()
      else {
        const other = { otherUrlId: urls.idOf(target), otherUrl: this.#texts.get(target) ?? null }
        const detail = 'The other version does not name this page'
        add({ urlId: urls.idOf(index), url: this.#texts.get(index) ?? '', ...other, detail })
      }
    }
  }

  *#missing(): Iterable<{ index: number; target: number }> {
    if (this.#pairs > MAX_PAIRS) return
    for (const [index, targets] of this.#targets) {
      for (const target of new Set(targets)) {
        if (!this.#urls.has(target, 'examined') || this.#ignored.has(target)) continue
        // A version that names another canonical URL is not expected to name anything.
        if (this.#urls.has(target, 'canonicalised')) continue
        if (this.#targets.get(target)?.includes(index) !== true) yield { index, target }
      }
    }
  }
}
