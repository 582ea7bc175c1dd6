// Settings of single commands: selection and output.

import { RETRIABLE_STATES } from '../../lib/states.ts'
import { extractRules } from '../extract-kind.ts'
import { optional, setting } from '../setting.ts'
import { listOf, oneOf, onOff, text, wholeNumber } from '../setting-kinds.ts'
import { moment } from '../time-kinds.ts'
import { CHANGE_KINDS } from '../values/change-kinds.ts'
import { EXPORT_FORMATS } from '../values/export-formats.ts'

export const COMMAND_SETTINGS = {
  limit: setting(wholeNumber(1, 100), 10, 'Number of results.'),
  crawl: optional(text('ID'), 'Only pages of this crawl.'),
  detach: setting(onOff(), false, 'Leave the crawl to the workers of the store instead of crawling in this process.'),
  since: optional(moment(), 'Only changes seen since this time: a date, or a time span such as 6h.'),
  kind: optional(oneOf(CHANGE_KINDS), 'Only changes of this kind.'),
  diff: setting(onOff(), false, 'Show how the text differs.'),
  state: optional(oneOf(RETRIABLE_STATES), 'Only URLs in this state.'),
  last: setting(onOff(), false, 'Show the last audit instead of running a new one.'),
  failOn: setting(
    listOf(text('RULE')),
    [],
    'Fail if a rule of the audit has findings: names separated by commas, with a limit if some are accepted, such as broken-links,slow-pages=10; repeatable.',
  ),
  json: setting(onOff(), false, 'Print JSON, one object per line.'),
  yes: setting(onOff(), false, 'Do not ask for confirmation.'),
  quiet: setting(onOff(), false, 'Print nothing but errors (and, with --json, events).'),
  version: optional(wholeNumber(1, 1e9), 'Page version, counted from 1; the newest if omitted.'),
  raw: setting(onOff(), false, 'Print the decoded body of a page.'),
  wire: setting(onOff(), false, 'Print the body of a page as it was received, still compressed if it was.'),
  text: setting(onOff(), false, 'Print the visible text of a page, one line per block.'),
  markdown: setting(onOff(), false, 'Print the main content of a page as Markdown.'),
  extracted: setting(onOff(), false, 'Print the fields and structured data that were extracted from a page, as JSON.'),
  rules: setting(extractRules(), [], 'JSON file with rules for fields, as for --extract; repeatable.'),
  archived: setting(onOff(), false, 'Read the newest archived version of the page instead of fetching it.'),
  release: optional(text('PATTERN'), 'Release this URL pattern: its URLs are queued again.'),
  format: setting(
    { ...oneOf(EXPORT_FORMATS), placeholder: 'FORMAT' },
    'jsonl',
    'Export format: URLs, with what was extracted from them, as jsonl, json, csv or sqlite; the link graph as graphml, neo4j, cypher or edges; archived pages as warc, wacz or pages.jsonl; their content as markdown (a zip file) or chunks.jsonl.',
  ),
  out: optional(
    text('FILE'),
    'Output file of an export or audit; standard output if omitted. With --format pages.jsonl, s3://bucket/prefix writes each page as an object: <domain>/<yyyy>/<mm>/<dd>/<record id>.json.gz.',
  ),
} as const
