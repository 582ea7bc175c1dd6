import { TRAP_REASON } from '../encoding/state-codes.ts'

/**
 * SQL: the reason of a row `u` of `urls`. Each trap and each rule of a robots.txt has its own reason; here they
 * count as one.
 */
export const REASON_SQL = `case when u.reason like '${TRAP_REASON}%' then 'trap' when u.reason like 'robots line %' then 'robots' else u.reason end`
