// The rules for harmful scripts. They examine the tokens of a script, so that a text that only mentions a miner does
// not match. A rule must never match a real library; script-rules.test.ts checks those of node_modules.

import { scanTokens } from './scan-tokens.ts'

const SCRIPT_RULES = [
  'size',
  'miner',
  'exploit',
  'heap_spray',
  'shell_access',
  'encoded_payload',
  'obfuscated_names',
  'obfuscated_strings',
  'symbols_only',
] as const

export type ScriptRule = (typeof SCRIPT_RULES)[number]

const MINER_HOSTS =
  /^(?:(?:https?|wss?):)?\/\/(?:[\w-]+\.)*(?:coinhive\.com|coin-hive\.com|coinimp\.com|hashing\.win|crypto-loot\.(?:com|org)|cryptoloot\.pro|jsecoin\.com|minero\.cc|webmine\.(?:cz|pro)|webminepool\.com|monerominer\.rocks|coinwebmining\.com|deepminer\.\w+|moneroocean\.stream|supportxmr\.com|minexmr\.com|nanopool\.org)(?::\d+)?(?:\/|$)/i
const MINER_STRINGS =
  /^(?:stratum\+(?:tcp|ssl):\/\/|cryptonight(?:-|\/|_|$)|cn\/(?:r|half|fast)$|rx\/0$|randomx(?:-|\/|_|$))/i
/** Names that are followed by a dot and one of the constructors. */
const MINER_OBJECTS = new Set([
  'CoinHive',
  'CoinImp',
  'CRLT',
  'CryptoLoot',
  'deepMiner',
  'WebMinePool',
  'Minero',
  'CoinIMP',
])
const MINER_CONSTRUCTORS = new Set(['Anonymous', 'User', 'Token', 'Init', 'start'])
const MINER_NAME_STARTS = '_cCrR'
const MINER_NAMES = /^_?(?:cryptonight|randomx|cn_lite|cn_heavy)_\w*hash\w*$/i
const MINER_FILES =
  /(?:^|\/)(?:coinhive(?:\.min)?\.js|cryptonight(?:-asmjs|-worker)?(?:\.min)?\.(?:js|wasm)|deepminer(?:\.min)?\.js|webmr\.js|xmr(?:ig)?-?\w*\.wasm|crypta\.js)$/i
/** Primitives of exploits for JavaScript engines. */
const EXPLOIT_NAMES = ['addrof', 'fakeobj']
const SHELL_OBJECTS = /^(?:WScript\.Shell|Shell\.Application|ADODB\.Stream|Scripting\.FileSystemObject)$/i
/** NOP slides and the address 0x0c0c0c0c, as unescape or a string literal has them. */
const SPRAY = /(?:%u(?:9090|0[aAcCdD]0[aAcCdD])){8}|(?:\\u(?:9090|0[cCdD]0[cCdD])){8}/
const RUNNERS = new Set(['eval', 'Function', 'execScript'])
const DECODERS = new Set(['atob', 'unescape', 'fromCharCode', 'decodeURIComponent'])
const PAYLOAD_CHARS = 1000
const PAYLOAD_CODES = 200

/** None of 7,056 files of published libraries matches a rule (300 MB, 2026-11). */
const HEX_NAME = /^_0x[0-9a-f]{3,}$/
const MIN_HEX_NAMES = 300
const MAX_HEX_NAME_SHARE = 0.4
const MIN_ESCAPED_CHARS = 4000
const MAX_ESCAPED_SHARE = 0.85
const MIN_SYMBOLS = 1000
const MAX_SYMBOL_SHARE = 0.95

interface Measures {
  names: number
  hexNames: number
  stringChars: number
  escapedChars: number
  /** Position of the next escape, or an earlier one. */
  nextEscape: number
  longestString: number
  numbers: number
  exploitNames: Set<string>
  runsDecoded: boolean
  match: ScriptRule | null
}

/** The first rule that a script matches. */
export function matchScript(text: string): ScriptRule | null {
  if (isSymbolsOnly(text)) return 'symbols_only'
  const measures = measure(text)
  if (measures.match !== null) return measures.match
  if (measures.exploitNames.size === EXPLOIT_NAMES.length) return 'exploit'
  if (measures.runsDecoded && (measures.longestString > PAYLOAD_CHARS || measures.numbers > PAYLOAD_CODES)) {
    return 'encoded_payload'
  }
  const { hexNames, names, escapedChars, stringChars } = measures
  if (hexNames >= MIN_HEX_NAMES && hexNames > MAX_HEX_NAME_SHARE * names) return 'obfuscated_names'
  if (escapedChars >= MIN_ESCAPED_CHARS && escapedChars > MAX_ESCAPED_SHARE * stringChars) return 'obfuscated_strings'
  return null
}

export function isMinerFile(url: string): boolean {
  return MINER_HOSTS.test(url) || (URL.canParse(url) && MINER_FILES.test(new URL(url).pathname))
}

/** Names of functions and memories are part of a WebAssembly module. */
export function matchWasm(bytes: Buffer): ScriptRule | null {
  return ['cryptonight', 'randomx_', 'xmrig'].some((name) => bytes.includes(name)) ? 'miner' : null
}

function measure(text: string): Measures {
  const measures: Measures = {
    names: 0,
    hexNames: 0,
    stringChars: 0,
    escapedChars: 0,
    nextEscape: -2,
    longestString: 0,
    numbers: 0,
    exploitNames: new Set(),
    runsDecoded: false,
    match: null,
  }
  const before = new RecentTokens()
  scanTokens(text, (kind, start, end) => {
    if (kind === 'name') readName(measures, text, before, start, end)
    else if (kind === 'number') measures.numbers += 1
    else if (kind === 'string' || kind === 'template') readString(measures, text, start + 1, end - 1)
    before.add(start, end)
  })
  return measures
}

/** The four tokens before the current one, without an object for each. */
class RecentTokens {
  readonly #starts = new Int32Array(4)
  readonly #ends = new Int32Array(4)
  #count = 0

  add(start: number, end: number): void {
    this.#starts[this.#count & 3] = start
    this.#ends[this.#count & 3] = Math.min(end, start + 20)
    this.#count += 1
  }

  /** The last one first. */
  last(text: string): string[] {
    return [1, 2, 3, 4].map((back) => {
      const at = (this.#count - back) & 3
      return text.slice(this.#starts[at], this.#ends[at])
    })
  }
}

const KNOWN_NAMES = new Set([...EXPLOIT_NAMES, ...DECODERS, ...MINER_CONSTRUCTORS])
/** Shapes by length and first character: most names of a script need not be looked up. */
const KNOWN_SHAPES = new Set([...KNOWN_NAMES].map((name) => shapeOf(name, 0, name.length)))

function shapeOf(text: string, start: number, end: number): number {
  return (end - start) * 256 + text.charCodeAt(start)
}

function readName(measures: Measures, text: string, before: RecentTokens, start: number, end: number): void {
  measures.names += 1
  if (text.startsWith('_0x', start) && HEX_NAME.test(text.slice(start, end))) measures.hexNames += 1
  if (end - start > 10 && MINER_NAME_STARTS.includes(text.charAt(start)) && MINER_NAMES.test(text.slice(start, end))) {
    measures.match ??= 'miner'
  }
  if (!KNOWN_SHAPES.has(shapeOf(text, start, end))) return
  const name = text.slice(start, end)
  if (!KNOWN_NAMES.has(name)) return
  const [one, two, three, four] = before.last(text)
  if (EXPLOIT_NAMES.includes(name)) measures.exploitNames.add(name)
  else if (MINER_CONSTRUCTORS.has(name) && one === '.' && MINER_OBJECTS.has(two ?? '')) measures.match ??= 'miner'
  else if (DECODERS.has(name)) {
    // eval(atob( and eval(String.fromCharCode(
    const isDirect = one === '(' && RUNNERS.has(two ?? '')
    const isMember = one === '.' && three === '(' && RUNNERS.has(four ?? '')
    measures.runsDecoded ||= isDirect || isMember
  }
}

function readString(measures: Measures, text: string, start: number, end: number): void {
  const length = end - start
  measures.stringChars += length
  if (length > measures.longestString) measures.longestString = length
  if (length < 4) return
  if (length <= 200) {
    const value = text.slice(start, end)
    if (MINER_HOSTS.test(value) || MINER_STRINGS.test(value)) measures.match ??= 'miner'
    else if (SHELL_OBJECTS.test(value)) measures.match ??= 'shell_access'
  }
  if (length >= 40 && (text.startsWith('%u', start) || text.startsWith('\\u', start))) {
    if (SPRAY.test(text.slice(start, end))) measures.match ??= 'heap_spray'
  }
  measures.escapedChars += countEscapes(measures, text, start, end)
}

/** Characters of \xNN escapes. Strings come in order, so the whole text is searched once. */
function countEscapes(measures: Measures, text: string, start: number, end: number): number {
  let chars = 0
  while (measures.nextEscape < end) {
    if (measures.nextEscape >= start) chars += 4
    const found = text.indexOf('\\x', Math.max(start, measures.nextEscape + 2))
    measures.nextEscape = found === -1 ? Number.POSITIVE_INFINITY : found
  }
  return chars
}

/** JSFuck and its relatives write everything with a handful of characters. */
function isSymbolsOnly(text: string): boolean {
  if (text.length < MIN_SYMBOLS) return false
  const sample = text.slice(0, 20_000)
  const symbols = sample.match(/[[\]()!+{}$_=;:~,"'\\]/g)?.length ?? 0
  return symbols > MAX_SYMBOL_SHARE * sample.replaceAll(/\s/g, '').length
}
