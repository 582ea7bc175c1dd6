// Counts the findings of a rule, and writes the first ones to the store in chunks.

import { type AuditFinding, type Audits, FINDINGS_PER_CHUNK, MAX_LISTED_FINDINGS } from '../ports/audits.ts'
import type { NewFinding } from './rule.ts'

const MAX_TEXT = 500
const MAX_DETAIL = 1000

export class FindingWriter {
  readonly #rule: string
  readonly #write: (chunk: number, findings: AuditFinding[]) => ReturnType<Audits['add']>
  #waiting: AuditFinding[] = []
  #chunks = 0
  #listed = 0
  #count = 0

  constructor(audits: Pick<Audits, 'add'>, auditId: number, rule: string) {
    this.#rule = rule
    this.#write = (chunk, findings) => audits.add(auditId, this.#rule, chunk, findings)
  }

  get count(): number {
    return this.#count
  }

  get hasFullChunk(): boolean {
    return this.#waiting.length >= FINDINGS_PER_CHUNK
  }

  add({ urlId, url, otherUrlId = null, otherUrl = null, text = null, detail }: NewFinding): void {
    this.#count += 1
    if (this.#listed === MAX_LISTED_FINDINGS) return
    this.#listed += 1
    const cut = { text: text?.slice(0, MAX_TEXT) ?? null, detail: detail.slice(0, MAX_DETAIL) }
    this.#waiting.push({ urlId, url, otherUrlId, otherUrl, ...cut })
  }

  countOnly(): void {
    this.#count += 1
  }

  /** Writes full chunks. False: the audit must stop. */
  async writeFull(): Promise<boolean> {
    while (this.hasFullChunk) if (!(await this.#writeChunk())) return false
    return true
  }

  async writeRest(): Promise<boolean> {
    if (!(await this.writeFull())) return false
    return this.#waiting.length === 0 || this.#writeChunk()
  }

  #writeChunk(): Promise<boolean> {
    const findings = this.#waiting.slice(0, FINDINGS_PER_CHUNK)
    this.#waiting = this.#waiting.slice(FINDINGS_PER_CHUNK)
    const chunk = this.#chunks
    this.#chunks += 1
    return this.#write(chunk, findings)
  }
}
