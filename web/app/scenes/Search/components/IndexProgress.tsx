import { useApi } from '../../../server/api.ts'
import { formatNumber, plural } from '../../../text/format.ts'

/** The size of the index, and its lag if there is one. */
export function IndexProgress() {
  const index = useApi('getIndex', {}, { refetchInterval: 5000 })
  if (index.data === undefined || !index.data.is_on) return null
  const { documents, waiting } = index.data
  return (
    <span className="ml-auto text-xs text-muted" role="status">
      {plural(documents, 'page')} indexed
      {waiting > 0 ? `, ${formatNumber(waiting)} pending` : ''}
    </span>
  )
}
