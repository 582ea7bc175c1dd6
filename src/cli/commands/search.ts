import { AppError } from '../../lib/errors.ts'
import type { CrawlReader } from '../../ports/store.ts'
import type { Reply, ShownHit } from '../../search/ask/ask.ts'
import { hitJson } from '../../search/ask/hit-json.ts'
import { marked } from '../../search/ask/marked.ts'
import { foundLine } from '../format/found.ts'
import { wrapped } from '../format/paragraph.ts'
import { widthOf } from '../format/table.ts'
import type { Command, Io } from '../io.ts'
import { streamAbility } from '../live/ability.ts'
import { clean, plural } from '../live/units.ts'
import { notIndexed } from '../not-indexed.ts'
import { withReader } from '../with-reader.ts'

const INDENT = '   '

export const search: Command = {
  usage: '"<words>"',
  help: 'Search what was crawled: words, "phrases", AND, OR, NOT, -word, begin*, a NEAR b, site:, host: (with its port, where there is one), title:, lang:, before: and more.',
  dashExample: '-- apple -pie',
  maxArguments: 100,
  settings: ['data', 'store', 'config', 'json', 'limit', 'crawl', 'synonyms'],
  async run(config, args, io) {
    if (args.length === 0) throw new AppError('USAGE', `Say what to search for: ${io.program} search "some words"`)
    return withReader(config, io, async ({ pages, crawls }) => {
      const opened = await io.openSearch(config, pages)
      if (opened === null) throw notIndexed(config, io)
      try {
        // Not before it is needed: words of thirty languages take as long to load as a tenth of a small crawl.
        const { ask } = await import('../../search/ask/ask.ts')
        const { Languages } = await import('../../search/ask/languages.ts')
        const { readSynonyms } = await import('../../search/query/synonyms.ts')
        const question = { text: args.join(' '), crawl: config.crawl, limit: config.limit, offset: 0, explains: false }
        const reply = await ask(
          { ...question, sort: 'relevance', wantsFacets: false, folds: true },
          {
            index: opened.index,
            synonyms: readSynonyms(config.synonyms),
            languages: new Languages(Date.now),
            now: Date.now,
            findCrawl: (id) => findCrawl(id, crawls),
          },
        )
        io.stdout.write(config.json ? jsonOf(reply) : textOf(reply, io))
        return 0
      } finally {
        await opened.close()
      }
    })
  },
}

async function findCrawl(idOrPrefix: string, crawls: CrawlReader): Promise<string | null> {
  return (await crawls.find(idOrPrefix)).id
}

function jsonOf({ hits, total, isTotalExact, note, didYouMean, related, tookMs }: Reply): string {
  const answer = {
    results: hits.map(hitJson),
    total,
    total_is_exact: isTotalExact,
    note,
    did_you_mean: didYouMean,
    related,
    took_ms: tookMs,
  }
  return `${JSON.stringify(answer)}\n`
}

function textOf(reply: Reply, io: Io): string {
  const { color } = streamAbility(io.stdout, io.env)
  const width = widthOf(io.stdout)
  const lines = reply.hits.flatMap((hit, i) => [...hitLines(hit, i + 1, { color, width }), ''])
  lines.push(foundLine(reply))
  if (reply.note !== null) lines.push(clean(reply.note))
  if (reply.didYouMean !== null) lines.push(`Did you mean: ${clean(reply.didYouMean)}`)
  if (reply.related.length > 0) lines.push(`Related: ${reply.related.map(clean).join(', ')}`)
  return `${lines.join('\n')}\n`
}

function hitLines(hit: ShownHit, number: number, { color, width }: { color: boolean; width: number }): string[] {
  const snippet = mark(hit.snippet.text, hit.snippet.highlights, color)
  const title = mark(hit.title || hit.url, hit.title === '' ? [] : hit.titleHighlights, color)
  const similar = hit.similar > 0 ? ` (and ${plural(hit.similar, 'page')} like it)` : ''
  return [
    `${number}. ${title}${similar}`,
    INDENT + clean(hit.url),
    ...wrapped(snippet, width - INDENT.length).map((line) => INDENT + line),
  ]
}

const BOLD = '\x1b[1m'
const PLAIN = '\x1b[22m'

/** Cleaned, so that the text of a page cannot steer the terminal. */
function mark(text: string, highlights: readonly [number, number][], color: boolean): string {
  return marked(text, highlights, clean, (word) => (color ? `${BOLD}${word}${PLAIN}` : word))
}
