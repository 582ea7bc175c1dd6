import { Menu } from '../../../components/controls/Menu.tsx'
import { useStore } from '../../../page/store.ts'
import { COLUMNS, columnStore, setColumn } from '../columns.tsx'

export function ColumnMenu() {
  const shown = useStore(columnStore)
  return (
    <Menu label="Columns" icon="columns">
      {() => (
        <fieldset className="flex flex-col">
          <legend className="sr-only">Columns</legend>
          {COLUMNS.map(({ id, label }) => (
            <label key={id} className="flex h-8 cursor-pointer items-center gap-2 rounded px-2 hover:bg-hover">
              <input
                type="checkbox"
                checked={shown.includes(id)}
                onChange={(event) => setColumn(id, event.target.checked)}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </Menu>
  )
}
