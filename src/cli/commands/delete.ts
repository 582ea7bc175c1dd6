import { createInterface } from 'node:readline/promises'
import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import type { Config } from '../../config/schema.ts'
import { AppError, EXIT } from '../../lib/errors.ts'
import { withCrawlChanges } from '../crawl-changes.ts'
import { formatCommand } from '../format/format-command.ts'
import { pluralize, sanitizeText } from '../format/units.ts'
import type { Command, Io } from '../io.ts'
import { requireCrawlId } from '../required-arguments.ts'

export const deleteCrawl: Command = {
  usage: '<id>',
  help: 'Delete a crawl with its URLs, links and archived pages. Asks first, unless --yes is given.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'yes'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    return withCrawlChanges(config, io, async (changes) => {
      const crawlId = await changes.findCrawlId(id)
      const described = await changes.describe(crawlId)
      if (!(await confirm({ crawlId, ...described }, { config, io }))) return EXIT.interrupted
      await changes.remove(crawlId)
      io.stdout.write('Deleted.\n')
      return EXIT.completed
    })
  },
}

interface Context {
  config: Config
  io: Io
}

async function confirm(
  { crawlId, rootUrl, pages }: { crawlId: string; rootUrl: string; pages: number },
  { config, io }: Context,
): Promise<boolean> {
  if (config.yes) return true
  if (io.stdin.isTTY !== true) {
    const command = formatCommand(io.program, `delete ${crawlId.slice(0, 8)} --yes`, config)
    throw new AppError('USAGE', `There is no terminal to ask for confirmation. To delete the crawl, run: ${command}`)
  }
  const prompt = createInterface({ input: io.stdin, output: io.stderr })
  const what = `Delete crawl ${crawlId.slice(0, 8)} of ${sanitizeText(rootUrl)} with ${pluralize(pages, 'page')}?`
  try {
    const answer = await prompt.question(`${what} This cannot be undone. [y/N] `)
    if (/^y(?:es)?$/i.test(answer.trim())) return true
    io.stderr.write('Nothing was deleted.\n')
    return false
  } finally {
    prompt.close()
  }
}
