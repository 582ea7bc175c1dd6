// Decides whether a response that may run as a script is examined, and examines it.

import type { RenderLimits, ResourceType } from '../../ports/renderer.ts'

export interface ScriptMatch {
  rule: string
  detail: string
}

export interface ExaminedResponse {
  url: string
  type: ResourceType
  headers: [string, string][]
  body: Uint8Array
}

export function examineResponse(
  { type, body }: ExaminedResponse,
  limits: Pick<RenderLimits, 'scriptChars'>,
): ScriptMatch | null {
  if (type === 'Script' && body.length > limits.scriptChars) return { rule: 'size', detail: ` (${body.length} bytes)` }
  return null
}
