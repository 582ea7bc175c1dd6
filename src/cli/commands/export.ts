import type { Config } from '../../config/schema.ts'
import type { Urls } from '../../ports/urls.ts'
import { toCsv } from '../format/csv.ts'
import { toGraphml } from '../format/graphml.ts'
import { toJson } from '../format/json.ts'
import { toJsonl } from '../format/jsonl.ts'
import { writeChunks } from '../format/write.ts'
import type { Command } from '../io.ts'
import { requiredId } from './status.ts'

export const exportUrls: Command = {
  usage: '<id>',
  help: 'Write the urls of a crawl to a file or to standard output.',
  maxArguments: 1,
  settings: ['data', 'config', 'format', 'out'],
  async run(config, args, io) {
    const reader = io.openReader(config.data)
    try {
      const crawl = reader.crawls.find(requiredId(args))
      await writeChunks(chunksOf(config.format, reader.urls, crawl.id), config.out ?? io.stdout)
      return 0
    } finally {
      reader.close()
    }
  },
}

function chunksOf(format: Config['format'], urls: Urls, crawlId: string): AsyncGenerator<string> {
  const rows = urls.rows(crawlId)
  switch (format) {
    case 'jsonl':
      return toJsonl(rows)
    case 'json':
      return toJson(rows)
    case 'csv':
      return toCsv(rows)
    case 'graphml':
      return toGraphml(rows, urls.edges(crawlId))
  }
}
