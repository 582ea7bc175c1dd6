// Counts the frames of a page in which something moves. What moves it is done in the page itself, once a frame: a mouse
// that is moved from outside moves only every second or third frame, and those between cost nothing.

import type { Page } from 'playwright-core'
import { quantile } from '../../test/testing/statistics.ts'

export interface FrameTimes {
  perSecond: number
  /** From one frame to the next. */
  medianMs: number
  p95Ms: number
  worstMs: number
}

/** `step` is the text of a function that gets the time in ms since the beginning. */
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
