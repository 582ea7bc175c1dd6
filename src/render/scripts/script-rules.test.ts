import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { scanTokens } from './scan-tokens.ts'
import { isMinerFile, matchScript, matchWasm, type ScriptRule } from './script-rules.ts'

const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
/** Bundles as sites have them: frameworks, minified files, inlined WebAssembly, regular expressions of every kind. */
const LIBRARIES = '{react,react-dom,scheduler,sigma,uplot,axe-core,zod,unpdf,hash-wasm,compromise,@tanstack,@ghostery}'
const hexNames = Array.from({ length: 400 }, (_, index) => `var _0x${(4096 + index).toString(16)}=1;`).join('')
const payload = 'QUJD'.repeat(400)

const HARMFUL: [name: string, script: string, rule: ScriptRule][] = [
  ['a miner by its constructor', 'const m = new CoinHive.Anonymous("key"); m.start()', 'miner'],
  ['a miner by its pool', 'connect("wss://ws1.coinimp.com:443/proxy")', 'miner'],
  ['a miner by its protocol', `const pool = 'stratum+tcp://pool.test:3333'`, 'miner'],
  ['a miner by its hash function', 'Module._cryptonight_hash(input, output)', 'miner'],
  ['an exploit of the engine', 'function addrof(o) {} function fakeobj(a) {}', 'exploit'],
  ['a heap spray', `var s = unescape("${'%u9090'.repeat(20)}")`, 'heap_spray'],
  ['access to a shell', 'new ActiveXObject("WScript.Shell").Run("calc")', 'shell_access'],
  ['a payload in base64', `eval(atob("${payload}"))`, 'encoded_payload'],
  ['a payload in numbers', `eval(String.fromCharCode(${Array(300).fill(65).join()}))`, 'encoded_payload'],
  ['a function of a payload', `new Function(unescape("${'%41'.repeat(400)}"))()`, 'encoded_payload'],
  ['hexadecimal names', hexNames, 'obfuscated_names'],
  ['strings of escapes', `var a = ["${'\\x41\\x42'.repeat(600)}"]`, 'obfuscated_strings'],
  ['nothing but symbols', '[][(![]+[])[+[]]+(![]+[])[!+[]+!+[]]]'.repeat(60), 'symbols_only'],
]

const HARMLESS: [name: string, script: string][] = [
  ['a text about miners', 'const post = "Coinhive was a miner; its pool was at coinhive.com, using cryptonight."'],
  ['a comment about miners', '// new CoinHive.Anonymous("key")\n/* stratum+tcp://x */ let a = 1'],
  ['a regular expression about miners', 'const re = /CoinHive.Anonymous/; const q = a / b / c'],
  ['quotes in regular expressions', `x.replace(/["']/g, ""); y = 'new CoinHive.Anonymous'`],
  ['decoding without running', `const bytes = atob("${payload}"); use(bytes)`],
  ['running without decoding', 'eval("module.exports = 1")'],
  ['an old way to request', 'new ActiveXObject("Microsoft.XMLHTTP")'],
  ['a packed script', `eval(function(p,a,c,k,e,d){return p}('0 1',2,2,'a|b'.split('|')))`],
]

describe('the rules for scripts', () => {
  for (const [name, script, rule] of HARMFUL) {
    it(`match ${name}`, () => assert.equal(matchScript(script), rule))
  }

  for (const [name, script] of HARMLESS) {
    it(`do not match ${name}`, () => assert.equal(matchScript(script), null))
  }

  it('match no file of real libraries', () => {
    const files = globSync(join(PACKAGES, `${LIBRARIES}/**/*.{js,mjs,cjs}`)).filter(
      (file) => statSync(file).size > 2000,
    )
    assert.ok(files.length > 100)
    assert.deepEqual(
      files.map((file) => [file, matchScript(readFileSync(file, 'latin1'))]).filter(([, rule]) => rule !== null),
      [],
    )
  })

  it('match files by their address', () => {
    assert.ok(isMinerFile('https://coinhive.com/lib/coinhive.min.js'))
    assert.ok(isMinerFile('https://cdn.test/a/cryptonight.wasm?x'))
    assert.ok(!isMinerFile('https://news.test/coinhive.com/article.js'))
  })

  it('match WebAssembly by its names', () => {
    assert.equal(matchWasm(Buffer.from('\0asm....cryptonight_hash', 'latin1')), 'miner')
    assert.equal(matchWasm(Buffer.from('\0asm....sqlite3_open', 'latin1')), null)
  })

  it('take time in proportion to the length', () => {
    for (const part of ['"a"', '/*', '`${', "'\\", '/[', '\\x41', '"\\x41"', '((((']) {
      const script = part.repeat(200_000)
      const start = process.cpuUsage()
      matchScript(script)
      const { user } = process.cpuUsage(start)
      assert.ok(user < 5_000_000, `${part}: ${user} µs`)
    }
  })
})

describe('tokens', () => {
  it('are names, strings, templates, numbers, regular expressions and punctuators', () => {
    const text = 'a1="s\\"t"+`t`/2/b;return/[/"]/.x // end'
    const tokens: string[] = []
    scanTokens(text, (kind, start, end) => tokens.push(`${kind} ${text.slice(start, end)}`))
    assert.deepEqual(tokens, [
      'name a1',
      'punctuator =',
      'string "s\\"t"',
      'punctuator +',
      'template `t`',
      'punctuator /',
      'number 2',
      'punctuator /',
      'name b',
      'punctuator ;',
      'name return',
      'regex /[/"]/',
      'punctuator .',
      'name x',
    ])
  })
})
