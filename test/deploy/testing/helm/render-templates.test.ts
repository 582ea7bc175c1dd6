// The renderer compared with Helm's documentation.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renderTemplates } from './render-templates.ts'

const DATA = {
  Values: { name: 'a b', port: 8081, empty: '', list: ['x', 'y'], map: { b: '2', a: '1' }, on: true },
  Release: { Name: 'demo' },
}

function rendered(template: string, helpers = ''): string | undefined {
  const files = new Map([
    ['_helpers.tpl', helpers],
    ['t.yaml', template],
  ])
  return renderTemplates(files, DATA).get('t.yaml')
}

describe('templates', () => {
  it('print fields, through functions and pipes', () => {
    assert.equal(rendered('{{ .Values.port }}'), '8081')
    assert.equal(rendered('{{ .Values.name | quote }}'), '"a b"')
    assert.equal(rendered('{{ .Values.empty | default (printf "%s-x" .Release.Name) | trunc 4 }}'), 'demo')
    assert.equal(rendered('{{ mul .Values.port 2 | quote }}'), '"16162"')
    assert.equal(rendered('{{ "demo-" | trimSuffix "-" }}'), 'demo')
  })

  it('trim whitespace beside a dash', () => {
    assert.equal(rendered('a\n  {{- if .Values.on }}\n  b\n  {{- end }}\nc'), 'a\n  b\nc')
    assert.equal(rendered('a {{ .Values.port -}}  \n b'), 'a 8081b')
  })

  it('take the first true branch; an empty value is false', () => {
    const template = '{{ if .Values.empty }}1{{ else if .Values.on }}2{{ else }}3{{ end }}'
    assert.equal(rendered(template), '2')
    assert.equal(rendered('{{ if and .Values.on (not .Values.list) }}1{{ else }}3{{ end }}'), '3')
    assert.equal(rendered('{{ or .Values.empty .Values.name }}'), 'a b')
  })

  it('iterate over lists, and over maps in the order of their keys', () => {
    assert.equal(rendered('{{ range .Values.list }}[{{ . }}]{{ end }}'), '[x][y]')
    assert.equal(
      rendered('{{ range $k, $v := .Values.map }}{{ $k }}={{ $v }}{{ $.Release.Name }} {{ end }}'),
      'a=1demo b=2demo ',
    )
  })

  it('include helpers, indented', () => {
    const helpers = '{{- define "labels" -}}\na: 1\nb: {{ .Release.Name }}\n{{- end -}}'
    assert.equal(rendered('m:\n  {{- include "labels" . | nindent 2 }}\n', helpers), 'm:\n  a: 1\n  b: demo\n')
  })

  it('pass several values to a helper in one dict', () => {
    const helpers = '{{- define "of" -}}{{ .part }} of {{ .root.Release.Name }}{{- end -}}'
    assert.equal(rendered('{{ include "of" (dict "root" . "part" "api") }}', helpers), 'api of demo')
  })

  it('compare integers', () => {
    assert.equal(
      rendered('{{ if gt (int .Values.port) 8080 }}1{{ end }}{{ if gt (int .Values.port) 8081 }}2{{ end }}'),
      '1',
    )
  })

  it('write values as YAML', () => {
    assert.equal(rendered('{{ toYaml .Values.map }}'), 'b: "2"\na: "1"')
  })

  it('fail on undefined values and functions', () => {
    assert.throws(() => rendered('{{ .Values.nmae }}'), /t\.yaml: there is no \.Values\.nmae/)
    assert.throws(() => rendered('{{ shout .Values.name }}'), /there is no function shout/)
    assert.throws(() => rendered('{{ include "nothing" . }}'), /nothing defines "nothing"/)
    assert.throws(() => rendered('{{ if .Values.on }}x'), /has no end/)
    assert.throws(() => rendered('x{{ end }}'), /ends nothing/)
    assert.throws(() => rendered('{{ .Values.name '), /has no end/)
    assert.throws(() => rendered('{{ fail (printf "no %s" .Values.name) }}'), /no a b/)
  })

  it('reject maps, missing values and numbers that Helm would print with an exponent', () => {
    assert.throws(() => rendered('{{ .Values.map }}'), /cannot be printed/)
    assert.throws(() => rendered('{{ mul .Values.port 1000 }}'), /cannot be printed/)
  })
})
