// Examines what may run as a script before the browser gets it: responses, and the inline scripts of a document.
// Verdicts are kept by content, since the pages of a site share their scripts.

import { hash } from 'node:crypto'
import { LruCache } from '../../lib/lru-cache.ts'
import type { RenderLimits, ResourceType } from '../../ports/renderer.ts'
import { isMinerFile, matchScript, matchWasm, type ScriptRule } from './script-rules.ts'

export interface ScriptMatch {
  rule: ScriptRule
  detail: string
}

export interface ExaminedResponse {
  url: string
  type: ResourceType
  headers: [string, string][]
  body: Uint8Array
}

const verdicts = new LruCache<ScriptRule | 'harmless'>(2000)
const WASM_MAGIC = Buffer.from([0, 0x61, 0x73, 0x6d])
const SCRIPT_TYPE = /javascript|ecmascript|wasm/i
const MAX_DETAIL = 300

export function examineResponse(
  { url, type, headers, body }: ExaminedResponse,
  limits: Pick<RenderLimits, 'scriptChars'>,
): ScriptMatch | null {
  const detail = url.slice(0, MAX_DETAIL)
  const isScript =
    type === 'Script' || headers.some(([name, value]) => /^content-type$/i.test(name) && SCRIPT_TYPE.test(value))
  if (!isScript && !isWasm(body)) return null
  if (isMinerFile(url)) return { rule: 'miner', detail }
  const rule = examineBytes(body, limits)
  return rule === null ? null : { rule, detail }
}

/** The inline scripts of a document. */
export function examineDocument(body: Uint8Array, limits: Pick<RenderLimits, 'scriptChars'>): ScriptMatch | null {
  for (const script of inlineScripts(latin1(body))) {
    const rule = examineText(script, limits)
    if (rule !== null) return { rule, detail: `inline script: ${script.trim().slice(0, 80)}` }
  }
  return null
}

/** Each search starts where the previous one ended, so that the time is linear. */
function* inlineScripts(html: string): Generator<string> {
  const [opening, closing] = [/<script\b/gi, /<\/script/gi]
  while (opening.test(html)) {
    const start = html.indexOf('>', opening.lastIndex)
    if (start === -1) return
    closing.lastIndex = start
    const end = closing.exec(html)?.index ?? html.length
    if (end > start + 1) yield html.slice(start + 1, end)
    opening.lastIndex = end
  }
}

function examineBytes(body: Uint8Array, limits: Pick<RenderLimits, 'scriptChars'>): ScriptRule | null {
  const key = hash('sha1', body, 'base64')
  const known = verdicts.get(key)
  if (known !== undefined) return known === 'harmless' ? null : known
  const rule = isWasm(body) ? matchWasm(Buffer.from(body)) : examineText(latin1(body), limits)
  verdicts.set(key, rule ?? 'harmless')
  return rule
}

function examineText(text: string, { scriptChars }: Pick<RenderLimits, 'scriptChars'>): ScriptRule | null {
  return text.length > scriptChars ? 'size' : matchScript(text)
}

function isWasm(body: Uint8Array): boolean {
  return body.length > 8 && WASM_MAGIC.equals(body.subarray(0, 4))
}

/** The body with one character per byte: all patterns are ASCII, and no decoding can fail. */
function latin1(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1')
}
