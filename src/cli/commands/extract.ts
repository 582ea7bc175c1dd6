// Applies extraction rules to one page, so that they can be checked before a crawl uses them.

import { REQUEST_SETTINGS, STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import { pluralize, sanitizeText } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { withReadClient } from '../read-client/read-client.ts'
import { requireUrl } from '../required-arguments.ts'
import { type ExtractedPage, extractPage } from '../single-page/extract-page.ts'
import { requireVersions } from './page.ts'

type Extracted = Omit<ExtractedPage, 'structured_data'> & { structured_data: unknown }

export const extract: Command = {
  usage: '<url|file|page-id>',
  help: 'Extract data from one page by rules. The page is fetched now, in an HTML file, or archived; without rules, its structured data is printed.',
  maxArguments: 1,
  settings: [
    ...STORE_OR_SERVER,
    'rules',
    'archived',
    'archiveStore',
    'healthSecret',
    ...REQUEST_SETTINGS,
    'maxBody',
    'json',
  ],
  async run(config, args, io) {
    const named = requireUrl(args, 'extract --rules rules.json', io)
    const isArchived = config.archived || /^[1-9]\d{0,14}$/.test(named)
    const extracted: Extracted = isArchived
      ? await readArchived(named, config, io)
      : await extractPage(named, config, io)
    if (config.json) io.stdout.write(jsonLine(extracted))
    else io.stdout.write(`${extractedLines(extracted).join('\n')}\n`)
    return extracted.missing.length === 0 ? EXIT.completed : EXIT.failed
  },
}

/** Shows the structured data of the page if there are no rules. */
async function readArchived(named: string, { rules, ...config }: Config, io: Io): Promise<Extracted> {
  return withReadClient({ rules, ...config }, io, async (client) => {
    const page_id = config.archived ? (await requireVersions(client, named)).at(-1)?.page_id : Number(named)
    if (page_id === undefined) throw new AppError('PAGE_NOT_FOUND', `The archive has no page ${named}.`)
    const body = { rules: rules.map((rule) => ({ ...rule })), structured_data: rules.length === 0 }
    const { url: _, ...extracted } = await client.extractFromPage({ params: { page_id }, body })
    return extracted
  })
}

function extractedLines({ fields, missing, structured_data, note }: Extracted): string[] {
  const lines = fields.flatMap(({ name, value, matches, rejected }) => {
    const values = Array.isArray(value) ? value : value === null ? [] : [value]
    const found = matches === 0 ? 'no element matches' : pluralize(matches, 'element')
    const required = missing.includes(name) ? ', but required' : ''
    return [
      `${name} (${found}${values.length === 0 && matches > 0 ? ', no value' : ''}${required})`,
      ...values.map((each) => `  ${sanitizeText(String(each))}`),
      ...rejected.map((text) => `  not of this type: ${sanitizeText(text)}`),
    ]
  })
  const data = structured_data === null ? [] : JSON.stringify(structured_data, null, 2).split('\n').map(sanitizeText)
  const nothing = lines.length + data.length === 0 ? ['The page has no structured data.'] : []
  return [...lines, ...data, ...nothing, ...(note === null ? [] : [`note: ${sanitizeText(note)}`])]
}
