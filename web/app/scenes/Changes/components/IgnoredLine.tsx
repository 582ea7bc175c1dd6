import { Link } from 'wouter'
import { Button } from '../../../components/controls/Button.tsx'

/** Says that a line is ignored from now on, with a way back. */
export function IgnoredLine({
  line,
  crawlId,
  isBusy,
  onUndo,
}: {
  line: string
  crawlId: string
  isBusy: boolean
  onUndo: () => void
}) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg border border-line bg-accent-soft px-3 py-2"
    >
      <p className="min-w-0 flex-1 basis-60">
        Lines like <q className="break-words">{cutLine(line)}</q> no longer count as changes of this crawl.
      </p>
      <Link href={`/crawls/${crawlId}?edit=ignore_changes`} className="text-accent underline">
        Edit rules
      </Link>
      <Button disabled={isBusy} onClick={onUndo}>
        Undo
      </Button>
    </div>
  )
}

const MAX_SHOWN = 80

function cutLine(line: string): string {
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN).trimEnd()}…` : line
}
