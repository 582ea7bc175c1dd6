// Measures the frame rate of a page while something moves. The movement is scripted inside the page, once per frame:
// mouse events sent from outside arrive only every second or third frame, and the frames in between cost nothing.

import type { Page } from 'playwright-core'
import { quantile } from '../../test/testing/statistics.ts'

export interface FrameTimes {
  perSecond: number
  /** Time from one frame to the next. */
  medianMs: number
  p95Ms: number
  worstMs: number
}

/** `step` is the source of a function that gets the time since the start in milliseconds. */
export async function measureFrames(page: Page, step: string, ms: number): Promise<FrameTimes> {
  const times = (await page.evaluate(`new Promise((done) => {
    const times = []
    const step = ${step}
    const next = (at) => {
      times.push(at)
      if (at - times[0] >= ${ms}) return done(times)
      step(at - times[0])
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })`)) as number[]
  const gaps = times.slice(1).map((at, i) => at - (times[i] ?? at))
  const part = (share: number) => quantile(gaps, share)
  const totalMs = (times.at(-1) ?? 0) - (times[0] ?? 0)
  return { perSecond: (gaps.length / totalMs) * 1000, medianMs: part(0.5), p95Ms: part(0.95), worstMs: part(1) }
}
