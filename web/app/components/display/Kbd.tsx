export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-1">
      {keys.split(' ').map((key, i) => (
        <kbd
          // biome-ignore lint/suspicious/noArrayIndexKey: a key can occur twice, and the order is fixed
          key={i}
          className="min-w-5 rounded border border-line bg-sunken px-1 text-center font-mono text-2xs leading-5 text-ink"
        >
          {key.replace(/^mod\+(.)/, (_, letter: string) => `Ctrl+${letter.toUpperCase()}`)}
        </kbd>
      ))}
    </span>
  )
}
