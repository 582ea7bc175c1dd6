import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { ERRORS } from '../../lib/errors.ts'
import { PATHS } from '../contract/paths.ts'
import { docsPage } from './docs-page.ts'
import { openApiDocument } from './openapi.ts'

describe('the OpenAPI document', () => {
  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate(openApiDocument('1.0.0'))
    assert.ok(valid, JSON.stringify(errors))
  })

  it('has every route once, with its parameters', () => {
    const { paths } = openApiDocument('1.0.0') as { paths: Record<string, Record<string, Record<string, unknown>>> }
    const operations = Object.values(paths).flatMap((path) => Object.values(path))
    assert.deepEqual(operations.map(({ operationId }) => operationId).sort(), Object.keys(PATHS).sort())
    for (const [path, methods] of Object.entries(paths)) {
      const expected = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters = [], operationId } of Object.values(methods)) {
        const named = (parameters as { name: string; in: string }[]).filter((parameter) => parameter.in === 'path')
        assert.deepEqual(named.map(({ name }) => name).sort(), expected.sort(), String(operationId))
      }
    }
  })
})

describe('the documentation page', () => {
  it('lists every route and every error, and loads nothing from other sites', () => {
    const html = docsPage('1.0.0')
    for (const path of Object.values(PATHS)) assert.ok(html.includes(path), path)
    for (const code of Object.keys(ERRORS)) assert.ok(html.includes(code), code)
    assert.doesNotMatch(html, /<script|https?:\/\/|style=/)
  })
})
