import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sniffHtml } from './sniff-html.ts'

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
