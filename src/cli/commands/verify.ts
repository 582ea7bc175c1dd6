import { jsonLine } from '../../engine/export/jsonl.ts'
import { ERRORS } from '../../lib/errors.ts'
import { ledgerTotal, URL_STATES } from '../../ports/state.ts'
import type { Command } from '../io.ts'
import { stateLabel } from '../live/states.ts'
import { grouped } from '../live/units.ts'
import { requiredId } from '../required.ts'
import { withReader } from '../with-reader.ts'

export const verify: Command = {
  usage: '<id>',
  help: 'Recount a crawl and check that nothing is lost or doubled.',
  maxArguments: 1,
  settings: ['data', 'store', 'config', 'json'],
  async run(config, args, io) {
    const id = requiredId(args, config, io)
    return withReader(config, io, async (reader) => {
      const crawl = await reader.crawls.find(id)
      const findings = await reader.urls.audit(crawl.id)
      const { ledger } = await reader.crawls.progress(crawl.id)
      if (config.json) {
        io.stdout.write(jsonLine({ crawl_id: crawl.id, sound: findings.length === 0, ledger, findings }))
      } else {
        io.stdout.write(`Crawl ${crawl.id} (${crawl.status}): ${grouped(ledgerTotal(ledger))} urls\n`)
        for (const state of URL_STATES)
          io.stdout.write(`  ${stateLabel(state).padEnd(12)}${grouped(ledger[state]).padStart(12)}\n`)
        for (const { rule, detail } of findings) io.stdout.write(`Broken: ${rule}: ${detail}\n`)
        if (findings.length === 0) io.stdout.write('The ledger balances, and every rule holds.\n')
      }
      return findings.length === 0 ? 0 : ERRORS.LEDGER_BROKEN.exit
    })
  },
}
