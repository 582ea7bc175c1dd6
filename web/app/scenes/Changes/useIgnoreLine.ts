import { useMutation } from '@tanstack/react-query'
import { cacheProgress } from '../../hooks/useCrawl.ts'
import { type Crawl, client, refetchQueries, toQueryKey } from '../../server/api.ts'

interface IgnoreLine {
  /** The line ignored last; null: none, or it was undone. */
  ignored: string | null
  ignore: (line: string) => void
  undo: () => void
  isBusy: boolean
  error: Error | null
}

/** Adds a rule to the settings of the crawl, and takes it out again. */
export function useIgnoreLine(crawl: Crawl): IgnoreLine {
  const params = { crawl_id: crawl.crawl_id }
  const showRules = async (after: Crawl): Promise<void> => {
    cacheProgress(after)
    await refetchQueries({ queryKey: toQueryKey('getChange') })
  }
  const ignore = useMutation({
    mutationFn: (line: string) => client.ignoreChange({ params, body: { line } }),
    onMutate: () => listRules(crawl),
    onSuccess: showRules,
  })
  const undo = useMutation({
    mutationFn: () => {
      const before = ignore.context ?? []
      const added = ignore.data === undefined ? [] : listRules(ignore.data).filter((rule) => !before.includes(rule))
      const rules = listRules(crawl).filter((rule) => !added.includes(rule))
      return client.changeCrawl({ params, body: { settings: { ignore_changes: rules } } })
    },
    onSuccess: async (after) => {
      await showRules(after)
      ignore.reset()
    },
  })
  return {
    ignored: ignore.isSuccess ? ignore.variables : null,
    ignore: (line) => ignore.mutate(line),
    undo: () => undo.mutate(),
    isBusy: ignore.isPending || undo.isPending,
    error: ignore.error ?? undo.error,
  }
}

function listRules({ settings }: Crawl): string[] {
  const rules = settings['ignore_changes']
  return Array.isArray(rules) ? rules.map(String) : []
}
