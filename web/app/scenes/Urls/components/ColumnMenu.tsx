import { Menu } from '../../../components/controls/Menu.tsx'
import { COLUMNS, type Column } from '../columns.tsx'

export function ColumnMenu({
  shown,
  onChange,
}: {
  shown: readonly Column[]
  onChange: (ids: readonly string[]) => void
}) {
  const ids = shown.map(({ id }) => id)
  return (
    <Menu label="Columns" icon="columns">
      {() => (
        <fieldset className="flex flex-col">
          <legend className="sr-only">Columns</legend>
          {COLUMNS.map(({ id, label }) => (
            <label key={id} className="flex h-8 cursor-pointer items-center gap-2 rounded px-2 hover:bg-hover">
              <input
                type="checkbox"
                checked={ids.includes(id)}
                onChange={(event) =>
                  onChange(event.target.checked ? [...ids, id] : ids.filter((other) => other !== id))
                }
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </Menu>
  )
}
