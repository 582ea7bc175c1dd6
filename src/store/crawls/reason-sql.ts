/** Of a row `u` of `urls`. Each trap has a reason of its own; here they count as one. */
export const REASON_SQL = `case when u.reason like 'trap:%' then 'trap' else u.reason end`
