import assert from 'node:assert/strict'
import { it } from 'node:test'
import { isHtmlPage } from './is-html-page.ts'

it('a doctype, an XML declaration or the first tags make a page', () => {
  const starts = [
    '<!DOCTYPE html>',
    '<html lang=en>',
    '\n\t<HEAD>',
    '<?xml version="1.0"?>',
    '<!-- a --> <!-- b --><html>',
  ]
  for (const start of starts) assert.equal(isHtmlPage(`${start}\nUser-agent: *`), true, start)
})

it('a robots.txt is not a page, even after a comment of the wrong kind', () => {
  for (const start of ['', 'User-agent: *', '<!-- rules -->', '<!-- never closed', '<htmlish>', '# <html>']) {
    assert.equal(isHtmlPage(`${start}\nDisallow: /`), false, start)
  }
})
