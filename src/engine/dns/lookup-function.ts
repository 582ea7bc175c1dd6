// The lookup function of sockets, in the form that node:net expects.

import type { LookupFunction } from 'node:net'
import { CodedError } from '../fetch/fetch-result.ts'
import type { Address } from './dns-result.ts'

export type AddressFilter = (address: string, hostname: string) => boolean

type ResolveAddresses = (
  hostname: string,
  done: (error: Error | null, answer: { addresses: readonly Address[] }) => void,
) => void

/** The filter sees the very addresses that the socket then dials. */
export function createLookupFunction(resolveAddresses: ResolveAddresses, filter: AddressFilter): LookupFunction {
  return (hostname, options, callback) => {
    resolveAddresses(hostname, (error, { addresses }) => {
      if (error !== null) return callback(error, '', 0)
      const family = familyOf(options.family)
      const usable = addresses.filter((address) => family === 0 || address.family === family)
      if (usable.length === 0) return callback(new CodedError('ENODATA'), '', 0)
      const allowed = usable.filter(({ address }) => filter(address, hostname))
      const first = allowed[0]
      if (first === undefined) return callback(new CodedError('ADDRESS_BLOCKED'), '', 0)
      if (options.all) callback(null, allowed)
      else callback(null, first.address, first.family)
    })
  }
}

function familyOf(family: number | string | undefined): 0 | 4 | 6 {
  if (family === 4 || family === 'IPv4') return 4
  if (family === 6 || family === 'IPv6') return 6
  return 0
}
