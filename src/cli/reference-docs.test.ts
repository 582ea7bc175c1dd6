import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { REFERENCE_PAGES } from './reference-docs.ts'

describe('reference pages', () => {
  for (const [file, page] of Object.entries(REFERENCE_PAGES)) {
    it(`${file} is what the code says; run npm run docs when it is not`, async () => {
      assert.equal(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), await page())
    })
  }
})
