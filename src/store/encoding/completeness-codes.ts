// Numbers of the completeness of pages that were read without rendering.

import type { Completeness, RenderReport } from '../../ports/render-patterns.ts'

const COMPLETENESS: readonly Completeness[] = ['complete', 'empty']

export function completenessCode(report: RenderReport | undefined): number | null {
  return report?.kind === 'plain' ? COMPLETENESS.indexOf(report.completeness) + 1 : null
}

export function toCompleteness(code: unknown): Completeness | null {
  return code === null ? null : (COMPLETENESS[Number(code) - 1] ?? null)
}
