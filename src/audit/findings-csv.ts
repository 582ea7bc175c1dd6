// The findings of an audit as CSV, one line each.

import { csvCell } from '../engine/export/csv.ts'
import type { AuditFinding } from '../ports/audits.ts'
import type { Rule } from './rule.ts'

const HEADER = 'rule,severity,url,other_url,text,detail\r\n'
const BATCH = 1000

type ReadFindings = (rule: string, skip: number, limit: number) => Promise<AuditFinding[]>

export async function* findingsToCsv(rules: readonly Rule[], read: ReadFindings): AsyncGenerator<string> {
  yield HEADER
  for (const { name, severity } of rules) {
    for (let skip = 0; ; skip += BATCH) {
      const findings = await read(name, skip, BATCH)
      const lines = findings.map(({ url, otherUrl, text, detail }) =>
        [name, severity, url, otherUrl, text, detail].map(csvCell).join(','),
      )
      if (lines.length > 0) yield `${lines.join('\r\n')}\r\n`
      if (findings.length < BATCH) break
    }
  }
}
