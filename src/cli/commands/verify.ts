import { STORE_OR_SERVER } from '../../config/command-settings.ts'
import { jsonLine } from '../../engine/export/jsonl.ts'
import { ERRORS } from '../../lib/errors.ts'
import { ledgerTotal, URL_STATES } from '../../lib/states.ts'
import { groupDigits } from '../format/units.ts'
import type { Command } from '../io.ts'
import { stateLabel } from '../live/state-styles.ts'
import { withReadClient } from '../read-client/read-client.ts'
import { requireCrawlId } from '../required-arguments.ts'

export const verify: Command = {
  usage: '<id>',
  help: 'Recount a crawl and check that no URL is lost or duplicated.',
  maxArguments: 1,
  settings: [...STORE_OR_SERVER, 'json'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    const { crawl_id, status, sound, ledger, findings } = await withReadClient(config, io, async (client) =>
      client.verifyCrawl({ params: { crawl_id: await client.findCrawlId(id) } }),
    )
    if (config.json) io.stdout.write(jsonLine({ crawl_id, sound, ledger, findings }))
    else {
      io.stdout.write(`Crawl ${crawl_id} (${status}): ${groupDigits(ledgerTotal(ledger))} URLs\n`)
      for (const state of URL_STATES)
        io.stdout.write(`  ${stateLabel(state).padEnd(12)}${groupDigits(ledger[state]).padStart(12)}\n`)
      for (const { rule, detail } of findings) io.stdout.write(`Failed check: ${rule} (${detail}).\n`)
      if (sound) io.stdout.write('The counts match a recount, and all checks passed.\n')
    }
    return sound ? 0 : ERRORS.LEDGER_BROKEN.exit
  },
}
