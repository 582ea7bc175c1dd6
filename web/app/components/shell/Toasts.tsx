import { useStore } from '../../page/store.ts'
import { dropToast, toastStore } from '../../page/toasts.ts'
import { IconButton } from '../controls/Button.tsx'

export function Toasts() {
  const toasts = useStore(toastStore)
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-16 z-50 flex w-80 max-w-[calc(100vw-1.5rem)] flex-col gap-2 md:bottom-3"
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          className={`pointer-events-auto flex items-start justify-between gap-2 rounded-lg border bg-surface py-1.5 pr-1.5 pl-3 shadow-float ${
            toast.tone === 'bad' ? 'border-bad' : 'border-line'
          }`}
        >
          <span className="min-w-0 py-1 break-words">{toast.text}</span>
          <IconButton label="Dismiss" icon="close" tip="left" onClick={() => dropToast(toast.id)} />
        </div>
      ))}
    </div>
  )
}
