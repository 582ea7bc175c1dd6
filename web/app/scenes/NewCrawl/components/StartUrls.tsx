import { Button } from '../../../components/controls/Button.tsx'
import { Field } from '../../../components/controls/Field.tsx'
import { Input, TextArea } from '../../../components/controls/Input.tsx'
import type { CrawlFix, CrawlProblem } from '../useCrawlCheck.ts'
import type { StartUrlsInput } from '../useCrawlForm.ts'

/** The start URLs, the only input without a default. A problem comes with buttons that solve it. */
export function StartUrls({
  start,
  onChange,
  problem,
  onFix,
}: {
  start: StartUrlsInput
  onChange: (startUrlsInput: StartUrlsInput) => void
  problem: CrawlProblem | undefined
  onFix: (fix: CrawlFix) => void
}) {
  return (
    <div className="flex flex-col gap-2">
      <Field label="Start URL" problem={problem === undefined ? undefined : problemText(problem)}>
        {(ids) => (
          <Input
            {...ids}
            autoFocus
            className="h-10 text-base"
            inputMode="url"
            placeholder="example.com"
            value={start.url}
            onChange={(event) => onChange({ ...start, url: event.target.value })}
          />
        )}
      </Field>
      {problem === undefined || problem.fixes.length === 0 ? null : (
        <div className="flex flex-wrap items-center gap-2">
          {problem.fixes.map((fix) => (
            <Button key={JSON.stringify(fix)} icon="check" onClick={() => onFix(fix)}>
              {fix.kind === 'allow' ? `Allow ${fix.address}` : `Use ${fix.url}`}
            </Button>
          ))}
        </div>
      )}
      <details open={start.more !== ''}>
        <summary className="w-fit rounded text-muted hover:text-ink">More start URLs</summary>
        <div className="pt-2">
          <Field label="More start URLs" help="One per line.">
            {(ids) => (
              <TextArea
                {...ids}
                rows={4}
                value={start.more}
                onChange={(event) => onChange({ ...start, more: event.target.value })}
              />
            )}
          </Field>
        </div>
      </details>
    </div>
  )
}

/** The message of the server names settings; beside a button that changes them, it need not. */
function problemText({ message, fixes }: CrawlProblem): string {
  const [fix] = fixes
  return fix?.kind === 'allow' ? `${fix.address} is not a public address. Allow it if the site is yours.` : message
}
