import { shortcutStore } from '../../page/shortcuts.ts'
import { useStore } from '../../page/store.ts'
import { Kbd } from '../display/Kbd.tsx'
import { Dialog } from './Dialog.tsx'

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const groups = useStore(shortcutStore)
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div className="flex flex-col gap-4">
        {groups.toReversed().map((group) => (
          <dl
            key={group.map(({ keys }) => keys).join()}
            className="grid grid-cols-[6rem_1fr] items-center gap-x-3 gap-y-1.5"
          >
            {group.map(({ keys, label }) => (
              <div key={keys} className="contents">
                <dt>
                  <Kbd keys={keys} />
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
          </dl>
        ))}
        <p className="text-muted">Shortcuts are off while you type in a field.</p>
      </div>
    </Dialog>
  )
}
