import { useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { CopyButton } from '../../../components/controls/CopyButton.tsx'
import { DownloadLink } from '../../../components/controls/DownloadLink.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input } from '../../../components/controls/Input.tsx'
import { ScrollArea } from '../../../components/display/ScrollArea.tsx'
import { useDebounced } from '../../../hooks/useDebounced.ts'
import { errorMessage, useApi } from '../../../server/api.ts'
import { type Pick, selectorsFor } from '../selectors.ts'
import { type FieldRule, RulePreview } from './RulePreview.tsx'

/** The page whose copy is shown. */
export interface PickedPage {
  pageId: number
  crawlId: string
  url: string
}

const RULE_NAME = /^[A-Za-z][A-Za-z0-9_]{0,62}$/

/** Turns clicked elements into the rules of a file for --extract. */
export function PickPanel({ page, pick }: { page: PickedPage; pick: Pick | null }) {
  const [rules, setRules] = useState<FieldRule[]>([])
  return (
    <ScrollArea label="Fields" className="flex max-h-96 shrink-0 flex-col gap-3 border-t border-line p-4 md:px-6">
      {pick === null ? (
        <p className="text-muted">Click an element of the page to get a CSS selector for it.</p>
      ) : (
        <PickedField
          key={JSON.stringify(pick.path)}
          page={page}
          pick={pick}
          defaultName={`field_${rules.length + 1}`}
          onAdd={(rule) => setRules([...rules.filter(({ name }) => name !== rule.name), rule])}
        />
      )}
      {rules.length === 0 ? null : <RulesFile rules={rules} />}
    </ScrollArea>
  )
}

function PickedField({
  page,
  pick,
  defaultName,
  onAdd,
}: {
  page: PickedPage
  pick: Pick
  defaultName: string
  onAdd: (rule: FieldRule) => void
}) {
  const [name, setName] = useState(defaultName)
  const [edited, setEdited] = useState<string | null>(null)
  const { selector: chosen, error } = useSelector(page.pageId, pick)
  const selector = useDebounced((edited ?? chosen ?? '').trim(), 250)
  const attribute = pick.path[0]?.tag === 'img' ? { attribute: 'src' } : {}
  const rule = { name, selector, ...attribute }
  const isName = RULE_NAME.test(name)
  const nameProblem = isName ? undefined : 'Start with a letter; use letters, digits and underscores.'
  const problem =
    error !== null ? errorMessage(error) : chosen === null ? 'No selector matches only this element.' : undefined
  return (
    <>
      <div className="grid items-start gap-3 md:grid-cols-[12rem_1fr_auto]">
        <Field label="Field name" problem={nameProblem}>
          {(ids) => <Input {...ids} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
        <Field label="CSS selector" problem={edited === null ? problem : undefined}>
          {(ids) => (
            <Input
              {...ids}
              className="font-mono"
              value={edited ?? chosen ?? ''}
              onChange={(event) => setEdited(event.target.value)}
            />
          )}
        </Field>
        <Button icon="plus" className="md:mt-6" disabled={!isName || selector === ''} onClick={() => onAdd(rule)}>
          Add field
        </Button>
      </div>
      {selector === '' ? null : <RulePreview page={page} rule={{ ...rule, name: 'value' }} />}
    </>
  )
}

/** The best selector that matches the element alone; undefined until it is known, null if there is none. */
function useSelector(pageId: number, pick: Pick): { selector: string | null | undefined; error: Error | null } {
  const selectors = selectorsFor(pick.path)
  const rules = selectors.map((selector, i) => ({ name: `s${i}`, selector }))
  const input = { params: { page_id: pageId }, body: { rules } }
  const { data, error } = useApi('extractFromPage', input, { staleTime: 60_000 })
  if (data === undefined) return { selector: undefined, error }
  const text = startOf(pick.text)
  const found = data.fields.findIndex(
    ({ matches, value }) => matches === 1 && (text === '' || startOf(String(value ?? '')) === text),
  )
  return { selector: selectors[found] ?? null, error: null }
}

/** Lines are broken in different ways in a browser and in an extracted text, and long texts are cut. */
function startOf(text: string): string {
  return text.replace(/\s+/g, '').slice(0, 1000)
}

function RulesFile({ rules }: { rules: FieldRule[] }) {
  const json = `${JSON.stringify(rules, null, 2)}\n`
  return (
    <section aria-label="rules.json" className="flex flex-col gap-1">
      <div className="flex items-center gap-2">
        <h2 className="font-medium">rules.json</h2>
        <CopyButton text={json} label="Copy rules.json" />
        <DownloadLink href={`data:application/json,${encodeURIComponent(json)}`} name="rules.json">
          Save
        </DownloadLink>
        <span className="text-muted">A crawl with --extract rules.json extracts these fields.</span>
      </div>
      <pre className="rounded border border-line bg-sunken p-2 font-mono text-xs whitespace-pre-wrap">{json}</pre>
    </section>
  )
}
