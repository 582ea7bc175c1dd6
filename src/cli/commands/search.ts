import { AppError } from '../../lib/errors.ts'
import type { IndexHit } from '../../ports/search.ts'
import { markHighlights } from '../../search/service/highlight-html.ts'
import { toHitJson } from '../../search/service/hit-json.ts'
import type { SearchResults } from '../../search/service/run-search.ts'
import { formatCommand } from '../format/format-command.ts'
import { resultCountLine } from '../format/result-count.ts'
import { outputWidth } from '../format/table.ts'
import { pluralize, sanitizeText } from '../format/units.ts'
import { wrapText } from '../format/wrap-text.ts'
import type { Command, Io } from '../io.ts'
import { detectCapabilities } from '../live/terminal-capabilities.ts'
import { notIndexedError } from '../not-indexed-error.ts'
import { withReadSession } from '../with-read-session.ts'

const INDENT = '   '

export const search: Command = {
  usage: '"<words>"',
  help: 'Search the crawled pages: words, "phrases", AND, OR, NOT, -word, prefix*, a NEAR b, site:, host: (with its port, if any), title:, lang:, before: and more.',
  dashExample: '-- apple -pie',
  maxArguments: 100,
  settings: ['data', 'store', 'config', 'json', 'limit', 'crawl', 'synonyms'],
  async run(config, args, io) {
    if (args.length === 0)
      throw new AppError('USAGE', `Give the words to search for: ${io.program} search "some words"`)
    return withReadSession(config, io, async ({ pages, crawls }) => {
      const opened = await io.openSearchIndex(config, pages)
      if (opened === null) throw notIndexedError(config, io)
      try {
        // Imported late: the word lists of thirty languages are slow to load.
        const { runSearch } = await import('../../search/service/run-search.ts')
        const { IndexLanguages } = await import('../../search/service/index-languages.ts')
        const { readSynonyms } = await import('../../search/query/synonyms.ts')
        const query = {
          text: args.join(' '),
          crawl: config.crawl,
          preferredLang: null,
          limit: config.limit,
          offset: 0,
          explains: false,
        }
        const searchResults = await runSearch(
          { ...query, sort: 'relevance', wantsFacets: false, groupsSimilar: true },
          {
            index: opened.index,
            synonyms: readSynonyms(config.synonyms),
            languages: new IndexLanguages(Date.now),
            now: Date.now,
            resolveCrawlId: async (idOrPrefix) => (await crawls.find(idOrPrefix)).id,
          },
        )
        const { waiting } = await opened.index.status()
        io.stdout.write(config.json ? resultJson(searchResults, waiting) : resultText(searchResults, io))
        if (!config.json && waiting > 0) {
          const next = formatCommand(io.program, 'index run', config)
          io.stdout.write(`${pluralize(waiting, 'page')} not indexed yet. Index with: ${next}\n`)
        }
        return 0
      } finally {
        await opened.close()
      }
    })
  },
}

function resultJson(
  { hits, total, isTotalExact, warning, didYouMean, related, tookMs }: SearchResults,
  waiting: number,
): string {
  const body = {
    results: hits.map(toHitJson),
    total,
    total_is_exact: isTotalExact,
    note: warning,
    did_you_mean: didYouMean,
    related,
    took_ms: tookMs,
    waiting,
  }
  return `${JSON.stringify(body)}\n`
}

function resultText(searchResults: SearchResults, io: Io): string {
  const { color } = detectCapabilities(io.stdout, io.env)
  const width = outputWidth(io.stdout)
  const lines = searchResults.hits.flatMap((hit, i) => [...hitLines(hit, i + 1, { color, width }), ''])
  lines.push(resultCountLine(searchResults))
  if (searchResults.warning !== null) lines.push(sanitizeText(searchResults.warning))
  if (searchResults.didYouMean !== null) lines.push(`Did you mean: ${sanitizeText(searchResults.didYouMean)}`)
  if (searchResults.related.length > 0) lines.push(`Related: ${searchResults.related.map(sanitizeText).join(', ')}`)
  return `${lines.join('\n')}\n`
}

function hitLines(hit: IndexHit, number: number, { color, width }: { color: boolean; width: number }): string[] {
  const snippet = highlightWords(hit.snippet.text, hit.snippet.highlights, color)
  const title = highlightWords(hit.title || hit.url, hit.title === '' ? [] : hit.titleHighlights, color)
  const similar = hit.similar > 0 ? ` (${pluralize(hit.similar, 'page')} similar)` : ''
  return [
    `${number}. ${title}${similar}`,
    INDENT + sanitizeText(hit.url),
    ...wrapText(snippet, width - INDENT.length).map((line) => INDENT + line),
  ]
}

const BOLD = '\x1b[1m'
const PLAIN = '\x1b[22m'

/** Sanitizes the text, so that a page cannot send control sequences to the terminal. */
function highlightWords(text: string, highlights: readonly [number, number][], color: boolean): string {
  return markHighlights(text, highlights, sanitizeText, (word) => (color ? `${BOLD}${word}${PLAIN}` : word))
}
