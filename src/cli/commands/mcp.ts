import { ARCHIVE_SETTINGS } from '../../config/command-settings.ts'
import { CRAWL_SETTINGS } from '../../config/crawl-settings.ts'
import type { Command } from '../io.ts'

export const mcp: Command = {
  usage: '',
  help: 'Serve the Model Context Protocol on standard input and output. A language model can then search and read crawled pages, list changes and, with --allow-crawl, crawl.',
  maxArguments: 0,
  settings: [
    'data',
    'store',
    'server',
    'token',
    'config',
    'healthSecret',
    ...ARCHIVE_SETTINGS,
    'allowCrawl',
    'mcpMaxPages',
    'search',
    'synonyms',
    'logLevel',
    'logFormat',
    ...CRAWL_SETTINGS,
  ],
  async run(config, _args, io) {
    // Standard output belongs to the protocol; only problems are worth a line in the client's log.
    await io.serveMcp(config.logLevel === 'info' ? { ...config, logLevel: 'warn' } : config)
    return 0
  },
}
