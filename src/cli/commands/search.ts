import type { ClientResponse } from '../../api/client.ts'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import { AppError } from '../../lib/errors.ts'
import { markHighlights } from '../../search/service/highlight-html.ts'
import { formatCommand } from '../format/format-command.ts'
import { resultCountLine } from '../format/result-count.ts'
import { outputWidth } from '../format/table.ts'
import { pluralize, sanitizeText } from '../format/units.ts'
import { wrapText } from '../format/wrap-text.ts'
import type { Command, Io } from '../io.ts'
import { detectCapabilities } from '../live/terminal-capabilities.ts'
import { notIndexedError } from '../not-indexed-error.ts'
import { withReadClient } from '../read-client/read-client.ts'

type Found = ClientResponse<'search'>

const INDENT = '   '

export const search: Command = {
  usage: '"<words>"',
  help: 'Search the crawled pages. Queries can have words, "phrases", AND, OR, NOT, -word, prefix*, a NEAR b, site:, host: (with its port, if any), title:, lang:, before: and more.',
  dashExample: '-- apple -pie',
  maxArguments: 100,
  settings: [...STORE_OR_SERVER, 'search', 'json', 'limit', 'crawl', 'synonyms'],
  async run(config, args, io) {
    if (args.length === 0)
      throw new AppError('USAGE', `Give the words to search for: ${io.program} search "some words"`)
    return withReadClient(config, io, async (client) => {
      const { is_on, waiting } = await client.getIndex({})
      if (!is_on) throw notIndexedError(config, io)
      const crawl = config.crawl === null ? {} : { crawl: await client.findCrawlId(config.crawl) }
      const found = await client.search({
        query: {
          q: args.join(' '),
          limit: config.limit,
          sort: 'relevance',
          facets: false,
          explain: false,
          fold: true,
          ...crawl,
        },
      })
      if (config.json) {
        const { next_cursor: _, query: __, facets: ___, ...body } = found
        io.stdout.write(`${JSON.stringify({ ...body, waiting })}\n`)
        return 0
      }
      io.stdout.write(resultText(found, io))
      if (waiting > 0) {
        const next = formatCommand(io.program, 'index run', config)
        io.stdout.write(`${pluralize(waiting, 'page')} not indexed yet. Index with: ${next}\n`)
      }
      return 0
    })
  },
}

function resultText(found: Found, io: Io): string {
  const { color } = detectCapabilities(io.stdout, io.env)
  const width = outputWidth(io.stdout)
  const lines = found.results.flatMap((hit, i) => [...hitLines(hit, i + 1, { color, width }), ''])
  lines.push(resultCountLine(found))
  if (found.note !== null) lines.push(sanitizeText(found.note))
  if (found.did_you_mean !== null) lines.push(`Did you mean: ${sanitizeText(found.did_you_mean)}`)
  if (found.related.length > 0) lines.push(`Related: ${found.related.map(sanitizeText).join(', ')}`)
  return `${lines.join('\n')}\n`
}

function hitLines(
  hit: Found['results'][number],
  number: number,
  { color, width }: { color: boolean; width: number },
): string[] {
  const snippet = highlightWords(hit.snippet, hit.highlights, color)
  const title = highlightWords(hit.title || hit.url, hit.title === '' ? [] : hit.title_highlights, color)
  const similar = hit.similar > 0 ? ` (${pluralize(hit.similar, 'similar page')})` : ''
  return [
    `${number}. ${title}${similar}`,
    ...(hit.title === '' ? [] : [INDENT + sanitizeText(hit.url)]),
    ...wrapText(snippet, width - INDENT.length).map((line) => INDENT + line),
  ]
}

const BOLD = '\x1b[1m'
const PLAIN = '\x1b[22m'

/** Sanitizes the text, so that a page cannot send control sequences to the terminal. */
function highlightWords(text: string, highlights: readonly [number, number][], color: boolean): string {
  return markHighlights(text, highlights, sanitizeText, (word) => (color ? `${BOLD}${word}${PLAIN}` : word))
}
