// Numbers of the looks of pages that were read without rendering.

import type { PlainLook, RenderReport } from '../../ports/render-patterns.ts'

const LOOKS: readonly PlainLook[] = ['complete', 'empty']

export function plainLookCode(report: RenderReport | undefined): number | null {
  return report?.kind === 'plain' ? LOOKS.indexOf(report.look) + 1 : null
}

export function toPlainLook(code: unknown): PlainLook | null {
  return code === null ? null : (LOOKS[Number(code) - 1] ?? null)
}
