import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { REFERENCE_PAGES } from './reference-docs.ts'

describe('reference pages', () => {
  for (const [file, page] of Object.entries(REFERENCE_PAGES)) {
    it(`${file} is up to date (npm run docs regenerates it)`, async () => {
      assert.equal(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), await page())
    })
  }
})
