import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { envOf, fileKeyOf, flagOf, SCHEMA, SETTING_NAMES } from './schema.ts'
import { InvalidValue } from './setting-kinds.ts'

describe('every setting', () => {
  for (const name of SETTING_NAMES) {
    const { kind, help, default: fallback } = SCHEMA[name]

    it(`${name} has a sentence of help and a placeholder unless it is a switch`, () => {
      assert.match(help, /^[A-Z].*\.$/)
      assert.equal(kind.placeholder === '', kind.isSwitch === true)
    })

    it(`${name} has a default that its own kind accepts`, () => {
      if (fallback === null) return
      const value = kind.parse(typeof fallback === 'number' ? String(fallback) : fallback)
      assert.ok(!(value instanceof InvalidValue))
      assert.deepEqual(value, fallback)
    })
  }

  it('has names of its own as a flag, in the environment and in a file', () => {
    for (const nameOf of [flagOf, envOf, fileKeyOf]) {
      assert.equal(new Set(SETTING_NAMES.map(nameOf)).size, SETTING_NAMES.length)
    }
  })

  it('has names that are spelled alike', () => {
    assert.deepEqual(
      [flagOf('maxPages'), envOf('maxPages'), fileKeyOf('maxPages')],
      ['max-pages', 'ORBWEAVER_MAX_PAGES', 'max_pages'],
    )
    assert.deepEqual(
      [flagOf('followRedirects'), envOf('followRedirects'), fileKeyOf('followRedirects')],
      ['no-follow-redirects', 'ORBWEAVER_FOLLOW_REDIRECTS', 'follow_redirects'],
    )
    for (const name of SETTING_NAMES) {
      assert.match(flagOf(name), /^[a-z]+(-[a-z]+)*$/)
      assert.match(envOf(name), /^ORBWEAVER(_[A-Z]+)+$/)
      assert.match(fileKeyOf(name), /^[a-z]+(_[a-z]+)*$/)
    }
  })

  it('leaves --help to the program', () => {
    for (const name of SETTING_NAMES) assert.notEqual(flagOf(name), 'help')
  })
})
