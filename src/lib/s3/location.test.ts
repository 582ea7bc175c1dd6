import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findParameterProblem, parseS3Url } from './location.ts'

test('a location has a bucket, and may have a prefix, an endpoint, a region and a style', () => {
  const plain = { endpoint: null, region: null, style: null, isReadOnly: false }
  assert.deepEqual(parseS3Url('s3://pages'), { bucket: 'pages', prefix: '', ...plain })
  assert.deepEqual(parseS3Url('s3://pages/'), { bucket: 'pages', prefix: '', ...plain })
  assert.deepEqual(parseS3Url('s3://my.pages/a/b/'), { bucket: 'my.pages', prefix: 'a/b/', ...plain })
  assert.deepEqual(parseS3Url('s3://pages/a?endpoint=http://127.0.0.1:9000&region=eu-west-1&style=path'), {
    bucket: 'pages',
    prefix: 'a/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-west-1',
    style: 'path',
    isReadOnly: false,
  })
  assert.equal(parseS3Url('s3://pages?mode=read')?.isReadOnly, true)
})

test('anything else is no location, in particular one with credentials', () => {
  for (const text of [
    'pages',
    'http://pages/',
    's3://',
    's3://Pages',
    's3://p',
    's3://key:secret@pages/',
    's3://pages/a b',
    's3://pages?endpoint=ftp://host',
    's3://pages?endpoint=http://key:secret@host',
    's3://pages?endpoint=http://host/path',
    's3://pages?style=virtual',
    's3://pages?secret=x',
    's3://pages?mode=write',
    's3://pages#a',
  ])
    assert.equal(parseS3Url(text), null, text)
})

test('a wrong parameter is named with the values that it may have, but an unknown one without its value', () => {
  assert.deepEqual(findParameterProblem('s3://pages?mode=foo'), {
    expected: 'a URL with mode=read, or without mode',
    given: 'mode=foo',
  })
  assert.deepEqual(findParameterProblem('s3://pages?region=a&style=x'), {
    expected: 'a URL with style=path or style=host, or without style',
    given: 'style=x',
  })
  assert.equal(findParameterProblem('s3://pages?secret=abc')?.given, 'secret')
  assert.equal(findParameterProblem('s3://Pages?mode=read'), null)
})
