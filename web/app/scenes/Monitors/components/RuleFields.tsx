import { Field } from '../../../components/controls/Field.tsx'
import { Input, Select, TextArea } from '../../../components/controls/Input.tsx'
import { type FieldProblem, findFieldProblem } from '../../../text/crawl-settings.ts'
import { CONDITION_KINDS, CONDITION_LABELS, RULE_KINDS, RULE_LABELS, type RuleDraft } from '../rule-form.ts'

interface Props {
  draft: RuleDraft
  onChange: (draft: RuleDraft) => void
  problems: readonly FieldProblem[]
}

/** The fields of a rule; its kind decides which. The kind of a monitor with documents cannot change. */
export function RuleFields({ isKindFixed, ...props }: Props & { isKindFixed: boolean }) {
  const { draft, onChange } = props
  return (
    <>
      <Field label="Watch for">
        {(ids) => (
          <Select
            {...ids}
            disabled={isKindFixed}
            value={draft.kind}
            onChange={(event) =>
              onChange({ ...draft, kind: RULE_KINDS.find((kind) => kind === event.target.value) ?? draft.kind })
            }
          >
            {RULE_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {RULE_LABELS[kind]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <KindFields {...props} />
    </>
  )
}

function KindFields(props: Props) {
  const { draft, onChange, problems } = props
  switch (draft.kind) {
    case 'words':
      return (
        <Field
          label="Words or phrases"
          help="One per line, in any case. A page is a hit when one of them is new on it."
          problem={findFieldProblem(problems, 'words')}
        >
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              placeholder={'recall\nsafety notice'}
              value={draft.words}
              onChange={(event) => onChange({ ...draft, words: event.target.value })}
            />
          )}
        </Field>
      )
    case 'pattern':
      return (
        <Field
          label="Regular expression"
          help="Matched against each line of the visible text."
          problem={findFieldProblem(problems, 'pattern')}
        >
          {(ids) => (
            <Input
              {...ids}
              placeholder="\bEX-\d{4}\b"
              value={draft.pattern}
              onChange={(event) => onChange({ ...draft, pattern: event.target.value })}
            />
          )}
        </Field>
      )
    case 'selector':
      return <SelectorFields {...props} />
    case 'copies':
      return (
        <Field
          label="Words of a copy"
          help="Shorter passages are no copies. 20 to 1000. You add the documents in the next step."
          problem={findFieldProblem(problems, 'min_words')}
        >
          {(ids) => (
            <Input
              {...ids}
              inputMode="numeric"
              value={draft.minWords}
              onChange={(event) => onChange({ ...draft, minWords: event.target.value })}
            />
          )}
        </Field>
      )
  }
}

function SelectorFields({ draft, onChange, problems }: Props) {
  const { condition } = draft
  return (
    <>
      <Field
        label="CSS selector"
        help="The text or number of the elements it selects is watched."
        problem={findFieldProblem(problems, 'selector')}
      >
        {(ids) => (
          <Input
            {...ids}
            placeholder=".product .price"
            value={draft.selector}
            onChange={(event) => onChange({ ...draft, selector: event.target.value })}
          />
        )}
      </Field>
      <div className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Field label="Hit when it">
          {(ids) => (
            <Select
              {...ids}
              value={condition}
              onChange={(event) =>
                onChange({
                  ...draft,
                  condition: CONDITION_KINDS.find((kind) => kind === event.target.value) ?? condition,
                })
              }
            >
              {CONDITION_KINDS.map((kind) => (
                <option key={kind} value={kind}>
                  {CONDITION_LABELS[kind]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {condition === 'changed' ? null : (
          <Field
            label={condition === 'contains' ? 'Text' : 'Number'}
            problem={findFieldProblem(problems, condition === 'contains' ? 'text' : 'limit')}
          >
            {(ids) => (
              <Input
                {...ids}
                inputMode={condition === 'contains' ? 'text' : 'decimal'}
                placeholder={condition === 'contains' ? 'sold out' : '100'}
                value={draft.operand}
                onChange={(event) => onChange({ ...draft, operand: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
    </>
  )
}
