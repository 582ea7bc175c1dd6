// Types of the columns of moved tables, and columns that many tables share.

/**
 * Column types: `wide` numbers use all 64 bits and are sent as decimal text, `flag` is 0 or 1, `real` is any number,
 * `number` an integer below 2^53.
 */
export type TransferColumnType = 'number' | 'wide' | 'real' | 'flag' | 'text' | 'bytes'
export type TableColumns = Record<string, TransferColumnType>

export const URL_COLUMNS = { crawl: 'number', host: 'number', url_id: 'number' } as const
/** Position of a record in the archive. */
export const RECORD_COLUMNS = { segment: 'number', offset: 'number', length: 'number' } as const
