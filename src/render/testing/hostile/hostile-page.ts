// A page that tries to do harm, and the outcomes it may end in.

import type { RenderOutcome } from '../../../ports/renderer.ts'
import type { TestFiles, TestSettings } from '../render-site.ts'

export interface HostilePage {
  name: string
  html: string
  files?: TestFiles
  /** Headers of the response with the page. */
  headers?: [string, string][]
  settings?: TestSettings
  outcomes: RenderOutcome[]
  /** Text that the HTML must contain if the page is rendered. */
  contains?: string
}

/** Addresses that must never be contacted. */
export interface Canaries {
  tcpPort: number
  udpPort: number
}

export function scriptPage(name: string, script: string, outcomes: RenderOutcome[] = ['rendered']): HostilePage {
  return { name, html: `<!doctype html><body><p>text</p><script>${script}</script></body>`, outcomes }
}
