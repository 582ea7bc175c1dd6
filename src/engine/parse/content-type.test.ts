import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isHtml, sniffHtml } from './content-type.ts'

test('text/html and application/xhtml+xml are HTML in any case and with any parameters', () => {
  for (const type of ['text/html', 'TEXT/HTML', 'text/html;charset=x', ' text/html ; a=b', 'application/xhtml+xml']) {
    assert.equal(isHtml(type), true, type)
  }
})

test('other types and an empty type are not HTML', () => {
  for (const type of [
    '',
    ';',
    'text/plain',
    'text/htmlx',
    'application/xml',
    'image/svg+xml',
    'text/html, text/plain',
  ]) {
    assert.equal(isHtml(type), false, type)
  }
})

test('a body that starts like HTML is HTML', () => {
  const bodies = [
    '<!DOCTYPE html>',
    '<!doctype HTML PUBLIC',
    '<html>',
    ' \t\r\n\f<HTML ',
    '<head>',
    '<script ',
    '<iframe ',
    '<h1>',
    '<div ',
    '<font ',
    '<table>',
    '<a href>',
    '<style>',
    '<title>',
    '<b>',
    '<body>',
    '<br>',
    '<p>',
    '<!-- x',
    '<!-->',
  ]
  for (const body of bodies) assert.equal(sniffHtml(Buffer.from(body)), true, body)
})

test('a body that does not start like HTML is not', () => {
  const bodies = [
    '',
    ' ',
    'hello <html>',
    '<html',
    '<htmlx>',
    '<p/>',
    '<a\n',
    '<?xml version="1.0"?>',
    '<svg>',
    '\ufeff<html>',
  ]
  for (const body of bodies) assert.equal(sniffHtml(Buffer.from(body)), false, body)
})

test('only the first 1445 bytes are sniffed', () => {
  assert.equal(sniffHtml(Buffer.from(`${' '.repeat(1439)}<html>`)), true)
  assert.equal(sniffHtml(Buffer.from(`${' '.repeat(1440)}<html>`)), false)
  assert.equal(sniffHtml(Buffer.alloc(5_000_000, 0x20)), false)
})
