// The one way to the server: the typed client, and the cache of what it answered.

import { MutationCache, QueryCache, QueryClient, type UseQueryOptions, useQuery } from '@tanstack/react-query'
import {
  ApiError,
  addressOf,
  type CallOptions,
  type Client,
  type ClientAnswer,
  createClient,
} from '../../src/api/client.ts'
import type { RouteName } from '../../src/api/contract/paths.ts'
import type { RouteAnswer } from '../../src/api/contract/routes.ts'
import { watchConnection } from './connection.ts'
import { tokenWantedStore } from './session.ts'

export { ApiError, addressOf }

export type Crawl = RouteAnswer<'getCrawl'>
export type CrawlProgress = RouteAnswer<'listCrawls'>['items'][number]
export type CrawlStatus = CrawlProgress['status']
export type UrlState = keyof CrawlProgress['states']
export type Url = RouteAnswer<'listUrls'>['items'][number]
export type FlightRecord = RouteAnswer<'getUrl'>
export type Stats = RouteAnswer<'getStats'>
export type SettingInfo = RouteAnswer<'getSettings'>['items'][number]

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteTokenWanted }),
  mutationCache: new MutationCache({ onError: noteTokenWanted }),
  defaultOptions: {
    queries: {
      // Away is told by the banner, and everything is read again once the server is back.
      retry: false,
      networkMode: 'always',
      staleTime: 1000,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
})

const connection = watchConnection(() => void queryClient.invalidateQueries())
export const { noteAway } = connection
export const client = createClient({ baseUrl: '', fetch: connection.fetch })

type Given<N extends RouteName> = NonNullable<Parameters<Client[N]>[0]>

/** The key of an answer in the cache; with the route alone, of all its answers. */
export function keyOf<N extends RouteName>(name: N, given?: Given<N>): readonly unknown[] {
  return given === undefined ? [name] : [name, given]
}

type Options<A> = Omit<UseQueryOptions<A, Error, A, readonly unknown[]>, 'queryKey' | 'queryFn'>

/** Reads a route and keeps the answer under its name and input. */
export function useApi<N extends RouteName>(name: N, given: Given<N>, options?: Options<ClientAnswer<N>>) {
  // TypeScript does not see that the arguments of a route it does not know fit that route.
  const call = client[name] as (given: Given<N>, options: CallOptions) => Promise<ClientAnswer<N>>
  return useQuery({ queryKey: keyOf(name, given), queryFn: ({ signal }) => call(given, { signal }), ...options })
}

/** A sentence for people, of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code
}

function noteTokenWanted(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) tokenWantedStore.set(true)
}
