import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { useLocation } from 'wouter'
import { Button, LinkButton } from '../../../components/controls/Button.tsx'
import { SampleSiteButton } from '../../../components/crawl/SampleSiteButton.tsx'
import { Card } from '../../../components/display/Card.tsx'
import { ErrorState } from '../../../components/display/EmptyState.tsx'
import { SkeletonRows } from '../../../components/display/Skeleton.tsx'
import { ApiError, client, errorMessage, useApi } from '../../../server/api.ts'
import { findFieldProblem } from '../../../text/crawl-settings.ts'
import { describeCrawl } from '../describe-crawl.ts'
import { type CrawlProblem, type NewCrawlBody, useCrawlCheck } from '../useCrawlCheck.ts'
import { type InitialForm, useCrawlForm } from '../useCrawlForm.ts'
import { MoreSettings } from './MoreSettings.tsx'
import { PresetChoice } from './PresetChoice.tsx'
import { SizeEstimate } from './SizeEstimate.tsx'
import { StartUrls } from './StartUrls.tsx'

/** A start URL, a preset, what will happen in words, and everything else under More settings. */
export function CrawlForm({ initial, isFirstRun = false }: { initial: InitialForm; isFirstRun?: boolean }) {
  const form = useCrawlForm(initial)
  const check = useCrawlCheck(form.body)
  const create = useCreateCrawl(form.body)
  // Problems are shown beside their fields. Problems found by the check include fixes.
  const problems: readonly CrawlProblem[] = check.problems.length > 0 ? check.problems : create.problems
  const hasUrl = form.start.url.trim() !== ''
  const summaryId = useId()
  // The start URLs of an earlier crawl are valid. With them the button does not move when the check is done.
  const isUnchanged = form.start.url === initial.from?.seeds[0]
  const seeds = check.seeds.length === 0 && isUnchanged ? (initial.from?.seeds ?? []) : check.seeds
  const sentences = check.problems.length > 0 ? [] : describeCrawl(seeds, form.drafts)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (hasUrl && !check.isRejected) create.mutate()
  }
  return (
    <form onSubmit={submit} onChange={create.reset} className="flex max-w-3xl flex-col gap-3">
      <Card>
        <div className="flex flex-col gap-4">
          <StartUrls
            start={form.start}
            onChange={form.setStart}
            problem={hasUrl ? findUrlProblem(problems) : undefined}
            onFix={form.applyFix}
          />
          <PresetChoice drafts={form.drafts} onChoose={form.setDrafts} />
          {sentences.length === 0 ? null : (
            <section aria-labelledby={summaryId} className="rounded-md bg-sunken px-3 py-2">
              <h2 id={summaryId} className="mb-1 font-semibold">
                What will happen
              </h2>
              <ul className="list-disc pl-4 marker:text-muted">
                {sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
              <SizeEstimate body={form.body} isReady={check.isValid} />
            </section>
          )}
          <NoWorkerWarning />
          {create.isError && create.problems.length === 0 ? (
            <p role="alert" className="text-bad">
              {errorMessage(create.error)}
            </p>
          ) : null}
          <div className="flex flex-wrap items-center gap-2">
            <Button
              type="submit"
              variant="primary"
              icon="play"
              disabled={create.isPending || !hasUrl || check.isRejected}
            >
              Start crawl
            </Button>
            {isFirstRun ? null : (
              <LinkButton href={initial.from === null ? '/' : `/crawls/${initial.from.crawl_id}`}>Cancel</LinkButton>
            )}
            <span role="status" className="text-muted">
              {check.text}
            </span>
            {hasUrl || isFirstRun ? null : <SampleSiteButton isQuiet />}
          </div>
        </div>
      </Card>
      {form.settings.error === null ? null : (
        <ErrorState error={form.settings.error} onRetry={() => void form.settings.refetch()} />
      )}
      {form.settings.isPending ? <SkeletonRows rows={2} /> : <MoreSettings form={form} problems={problems} />}
    </form>
  )
}

/** A crawl without a worker does not begin. */
function NoWorkerWarning() {
  const workers = useApi('listWorkers', {}, { refetchInterval: 5000 })
  const items = workers.data?.items
  if (items === undefined || items.some(({ state }) => state === 'working')) return null
  return (
    <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-warn">
      No worker is running, so the crawl will wait. Restart the server, or start a worker:{' '}
      <code className="font-mono">orbweaver worker</code>.
    </p>
  )
}

function findUrlProblem(problems: readonly CrawlProblem[]): CrawlProblem | undefined {
  return problems.find((problem) => ['url', 'urls'].some((name) => findFieldProblem([problem], name) !== undefined))
}

function useCreateCrawl(body: NewCrawlBody) {
  const [, navigate] = useLocation()
  const create = useMutation({
    mutationFn: () => client.createCrawl({ body }),
    onSuccess: (crawl) => navigate(`/crawls/${crawl.crawl_id}`),
  })
  const fields = create.error instanceof ApiError ? create.error.fields : []
  return { ...create, problems: fields.map((field) => ({ ...field, fixes: [] })) }
}
