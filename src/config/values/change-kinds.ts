/** What can change about a page. */
export const CHANGE_KINDS = ['added', 'changed', 'removed', 'returned', 'redirected'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]
