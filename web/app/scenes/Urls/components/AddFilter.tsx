import { type FormEvent, useState } from 'react'
import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input, Select } from '../../../components/controls/Input.tsx'
import { Menu } from '../../../components/controls/Menu.tsx'
import { FILTER_HINTS, FILTER_LABELS, TEXT_FILTERS, type TextFilter } from '../filters.ts'

const CHOICES = TEXT_FILTERS.filter((name) => name !== 'text')

export function AddFilter({ onAdd }: { onAdd: (name: TextFilter, value: string) => void }) {
  return (
    <Menu label="Add filter" icon="filter" side="left">
      {(close) => (
        <FilterForm
          onAdd={(name, value) => {
            close()
            onAdd(name, value)
          }}
        />
      )}
    </Menu>
  )
}

function FilterForm({ onAdd }: { onAdd: (name: TextFilter, value: string) => void }) {
  const [name, setName] = useState<TextFilter>('host')
  const [value, setValue] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (value.trim() !== '') onAdd(name, value.trim())
  }
  return (
    <form onSubmit={submit} className="flex w-64 flex-col gap-3 p-2">
      <Field label="Field">
        {(ids) => (
          <Select {...ids} value={name} onChange={(event) => setName(event.target.value as TextFilter)}>
            {CHOICES.map((choice) => (
              <option key={choice} value={choice}>
                {FILTER_LABELS[choice]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Value">
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            placeholder={FILTER_HINTS[name]}
            value={value}
            onChange={(event) => setValue(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" variant="primary" disabled={value.trim() === ''}>
        Add
      </Button>
    </form>
  )
}
