import type { Config } from '../../config/schema.ts'
import type { Crawl } from '../../ports/crawls.ts'
import { toCsv } from '../format/csv.ts'
import { toGraphml } from '../format/graphml.ts'
import { toJson } from '../format/json.ts'
import { toJsonl } from '../format/jsonl.ts'
import { toPageRecords, toWarc } from '../format/pages.ts'
import { writeChunks } from '../format/write.ts'
import type { Command, Reader } from '../io.ts'
import { withReader } from '../with-reader.ts'
import { requiredId } from './status.ts'

export const exportUrls: Command = {
  usage: '<id>',
  help: 'Write the urls or the pages of a crawl to a file or to standard output.',
  maxArguments: 1,
  settings: ['data', 'config', 'format', 'out'],
  async run(config, args, io) {
    return withReader(config, io, async (reader) => {
      const crawl = reader.crawls.find(requiredId(args))
      await writeChunks(chunksOf(config.format, reader, crawl), config.out ?? io.stdout)
      return 0
    })
  },
}

function chunksOf(format: Config['format'], reader: Reader, crawl: Crawl): AsyncGenerator<string | Buffer> {
  const rows = reader.urls.rows(crawl.id)
  switch (format) {
    case 'jsonl':
      return toJsonl(rows)
    case 'json':
      return toJson(rows)
    case 'csv':
      return toCsv(rows)
    case 'graphml':
      return toGraphml(rows, reader.urls.edges(crawl.id))
    case 'warc':
      return toWarc(reader.pages.ofCrawl(crawl.id), reader.archive, crawl)
    case 'pages.jsonl':
      return toPageRecords(reader.pages.ofCrawl(crawl.id), reader)
  }
}
