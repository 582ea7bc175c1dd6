import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { extractRules } from './extract-kind.ts'
import { loadConfig } from './load-config.ts'
import { InvalidValue } from './setting-kinds.ts'

const PRICE = { name: 'price', selector: '.price', type: 'number', required: true } as const

describe('extraction rules', () => {
  it('are objects, or JSON text of objects', () => {
    assert.deepEqual(extractRules().parse([PRICE, '{"name":"links","selector":"a","attribute":"href","many":true}']), [
      PRICE,
      { name: 'links', selector: 'a', attribute: 'href', many: true },
    ])
    assert.deepEqual(extractRules().parse([]), [])
  })

  it('that are invalid are named, with what is wrong', () => {
    const expectations: [unknown, RegExp][] = [
      ['rules', /rules such as/],
      [[3], /rules such as/],
      [[{ selector: 'a' }], /whose names start/],
      [[{ name: '1st', selector: 'a' }], /whose names start/],
      [[{ name: 'x' }], /each have a selector/],
      [[{ name: 'x', selector: 'p..y' }], /valid selectors\. "p\.\.y" is not a CSS selector/],
      [[{ name: 'x', selector: 'a', type: 'money' }], /"type" is one of text, number, date, url/],
      [[{ name: 'x', selector: 'a', attribute: 'a b' }], /attribute/],
      [[{ name: 'x', selector: 'a', many: 1 }], /true or false/],
      [[{ name: 'x', selector: 'a', xpath: '//a' }], /without "xpath"/],
      [[PRICE, { name: 'Price', selector: 'b' }], /different names/],
      [Array.from({ length: 101 }, (_, i) => ({ name: `f${i}`, selector: 'a' })), /at most 100/],
    ]
    for (const [given, expected] of expectations) {
      const parsed = extractRules().parse(given)
      assert.ok(parsed instanceof InvalidValue, JSON.stringify(given))
      assert.match(parsed.expected, expected)
    }
  })

  it('come from a file on the command line, before anything is crawled', (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'rules-'))
    t.after(() => rmSync(dir, { recursive: true }))
    const file = join(dir, 'rules.json')
    writeFileSync(file, JSON.stringify([PRICE]))
    const load = (...args: string[]) => loadConfig(args, {}, ['extract']).config.extract
    assert.deepEqual(load('--extract', file, '--extract', '{"name":"h","selector":"h1"}'), [
      PRICE,
      { name: 'h', selector: 'h1' },
    ])
    assert.throws(() => load('--extract', join(dir, 'none.json')), /cannot be read/)
    writeFileSync(file, '{"name": ')
    assert.throws(() => load('--extract', file), /is not valid JSON/)
    writeFileSync(file, '{"name": "x"}')
    assert.throws(() => load('--extract', file), /must hold a JSON list/)
    writeFileSync(file, '[{"name": "x"}]')
    assert.throws(
      () => load('--extract', file),
      /--extract must be a list of rules that each have a selector; it is \{"name":"x"\}/,
    )
  })
})
