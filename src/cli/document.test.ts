import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { PAGES } from './document.ts'

describe('reference pages', () => {
  for (const [file, page] of Object.entries(PAGES)) {
    it(`${file} is what the code says; run npm run docs when it is not`, async () => {
      assert.equal(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'), await page())
    })
  }
})
