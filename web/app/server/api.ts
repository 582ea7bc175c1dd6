// All access to the server: the typed client and the query cache.

import {
  MutationCache,
  QueryCache,
  QueryClient,
  type QueryFilters,
  type UseQueryOptions,
  useQuery,
} from '@tanstack/react-query'
import {
  ApiError,
  type CallOptions,
  type Client,
  type ClientResponse,
  createClient,
  routeUrl,
} from '../../../src/api/client.ts'
import type { RouteName } from '../../../src/api/contract/paths.ts'
import type { RouteResponse } from '../../../src/api/contract/routes.ts'
import { trackConnection } from './connection.ts'
import { tokenRequiredStore } from './token-required.ts'

export { ApiError, routeUrl }

export type Crawl = RouteResponse<'getCrawl'>
export type CrawlProgress = RouteResponse<'listCrawls'>['items'][number]
export type CrawlStatus = CrawlProgress['status']
export type UrlState = keyof CrawlProgress['states']
export type Url = RouteResponse<'listUrls'>['items'][number]
export type UrlDetails = RouteResponse<'getUrl'>
export type Stats = RouteResponse<'getStats'>
export type SettingInfo = RouteResponse<'getSettings'>['items'][number]

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: onUnauthorized }),
  mutationCache: new MutationCache({ onError: onUnauthorized }),
  defaultOptions: {
    queries: {
      // ConnectionBanner reports an unreachable server, and everything is refetched when it is back.
      retry: false,
      networkMode: 'always',
      staleTime: 1000,
      refetchOnWindowFocus: true,
    },
    mutations: { networkMode: 'always' },
  },
})

const connection = trackConnection(() => void refetchQueries())
export const { noteAway: reportUnreachable } = connection
export const client = createClient({ baseUrl: '', fetch: connection.fetch })

type RouteInput<N extends RouteName> = NonNullable<Parameters<Client[N]>[0]>

/** The cache key of a response. Without input, it matches all responses of the route. */
export function toQueryKey<N extends RouteName>(name: N, input?: RouteInput<N>): readonly unknown[] {
  return input === undefined ? [name] : [name, input]
}

/**
 * Refetches visible queries after a change. Responses in flight may be older than the change; invalidateQueries alone
 * would wait for a first response and keep it.
 */
export async function refetchQueries(filters?: QueryFilters): Promise<void> {
  await queryClient.cancelQueries(filters)
  await queryClient.invalidateQueries(filters)
}

type ApiQueryOptions<A> = Omit<UseQueryOptions<A, Error, A, readonly unknown[]>, 'queryKey' | 'queryFn'>

/** Queries a route and caches the response under its name and input. */
export function useApi<N extends RouteName>(
  name: N,
  routeInput: RouteInput<N>,
  options?: ApiQueryOptions<ClientResponse<N>>,
) {
  // TypeScript cannot relate the input type to client[name] for a generic N.
  const call = client[name] as (routeInput: RouteInput<N>, options: CallOptions) => Promise<ClientResponse<N>>
  return useQuery({
    queryKey: toQueryKey(name, routeInput),
    queryFn: ({ signal }) => call(routeInput, { signal }),
    ...options,
  })
}

/** The message of anything thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

export function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof ApiError && error.code === code
}

function onUnauthorized(error: unknown): void {
  if (error instanceof ApiError && error.status === 401) tokenRequiredStore.set(true)
}
