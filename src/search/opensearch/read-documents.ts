// Reads documents by their places, including documents that searches do not see yet.

import { AppError } from '../../lib/errors.ts'
import type { SearchClient } from './client.ts'
import type { Place } from './place.ts'

export interface DocumentAddress {
  id: string
  place: Place
}

interface FoundDocument<T> {
  _source?: T
  error?: { type: string; reason: string }
}

const NO_INDEX = 'index_not_found_exception'

/** Undefined for documents that the engine does not have. `fields` limits what is read. */
export async function readDocuments<T>(
  client: SearchClient,
  addresses: readonly DocumentAddress[],
  fields: readonly (string & keyof T)[] = [],
): Promise<(T | undefined)[]> {
  if (addresses.length === 0) return []
  const docs = addresses.map(({ id, place: { index, routing } }) => ({ _index: index, _id: id, routing }))
  const path = fields.length === 0 ? '/_mget' : `/_mget?_source_includes=${fields.join(',')}`
  const found = await client.send<{ docs: FoundDocument<T>[] }>('POST', path, { docs })
  return found.docs.map(({ _source, error }) => {
    // The shard is unavailable, so it is unknown whether the engine has the document.
    if (error !== undefined && error.type !== NO_INDEX)
      throw new AppError('SEARCH_AWAY', `The search engine cannot read a document now: ${error.reason}`)
    return _source
  })
}
