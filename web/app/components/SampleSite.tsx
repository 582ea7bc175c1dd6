import { useMutation } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { client, messageOf, useApi } from '../api.ts'
import { useMay } from '../hooks/useMay.ts'
import { showToast } from '../toasts.ts'
import { Button } from './Button.tsx'

/** Whether there is a sample site that the caller may crawl, and the button that does; without one there is no button. */
export function useHasSampleSite(): boolean {
  const mayStart = useMay('admin')
  return useApi('about', {}).data?.has_demo === true && mayStart
}

export function SampleSiteButton({ label = 'Crawl the sample site', isQuiet = false }) {
  const [, navigate] = useLocation()
  const hasSampleSite = useHasSampleSite()
  const demo = useMutation({
    mutationFn: () => client.startDemo(),
    onSuccess: (crawl) => navigate(`/crawls/${crawl.crawl_id}`),
    onError: (error) => showToast(messageOf(error), 'bad'),
  })
  if (!hasSampleSite) return null
  return (
    <Button
      {...(isQuiet ? { look: 'quiet' as const } : { icon: 'play' as const })}
      disabled={demo.isPending}
      onClick={() => demo.mutate()}
    >
      {label}
    </Button>
  )
}
