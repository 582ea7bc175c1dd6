import { jsonLine } from '../../engine/export/jsonl.ts'
import { ERRORS } from '../../lib/errors.ts'
import { ledgerTotal, URL_STATES } from '../../lib/states.ts'
import { groupDigits } from '../format/units.ts'
import type { Command } from '../io.ts'
import { stateLabel } from '../live/state-styles.ts'
import { requireCrawlId } from '../required-arguments.ts'
import { withReadSession } from '../with-read-session.ts'

export const verify: Command = {
  usage: '<id>',
  help: 'Recount the URLs of a crawl and check that none is lost or duplicated.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, args, io) {
    const id = requireCrawlId(args, config, io)
    return withReadSession(config, io, async (readSession) => {
      const crawl = await readSession.crawls.find(id)
      const findings = await readSession.urls.verify(crawl.id)
      // The status of a crawl whose process was killed is known only here.
      const { ledger, crawl: current } = await readSession.crawls.progress(crawl.id)
      if (config.json) {
        io.stdout.write(jsonLine({ crawl_id: crawl.id, sound: findings.length === 0, ledger, findings }))
      } else {
        io.stdout.write(`Crawl ${crawl.id} (${current.status}): ${groupDigits(ledgerTotal(ledger))} URLs\n`)
        for (const state of URL_STATES)
          io.stdout.write(`  ${stateLabel(state).padEnd(12)}${groupDigits(ledger[state]).padStart(12)}\n`)
        for (const { rule, detail } of findings) io.stdout.write(`Failed check: ${rule} (${detail}).\n`)
        if (findings.length === 0) io.stdout.write('The counts match a recount, and all checks passed.\n')
      }
      return findings.length === 0 ? 0 : ERRORS.LEDGER_BROKEN.exit
    })
  },
}
