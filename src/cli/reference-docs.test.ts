import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { SETTING_NAMES } from '../config/schema.ts'
import { REFERENCE_PAGES } from './reference-docs.ts'
import { flagText } from './setting-text.ts'

describe('reference pages', () => {
  for (const [file, page] of Object.entries(REFERENCE_PAGES)) {
    it(`${file} is up to date (npm run docs regenerates it)`, async () => {
      assert.equal(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), await page())
    })
  }

  it('the settings page has every setting once', async () => {
    const rows = ((await REFERENCE_PAGES['docs/reference/configuration.md']?.()) ?? '').split('\n')
    for (const name of SETTING_NAMES) {
      const start = `| \`${flagText(name).replaceAll('|', '\\|')}\` |`
      assert.equal(rows.filter((row) => row.startsWith(start)).length, 1, name)
    }
  })
})
