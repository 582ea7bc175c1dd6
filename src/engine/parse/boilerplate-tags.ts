// Elements that surround the content of a page, for the index and for the main content.

export const BOILERPLATE_TAGS: readonly string[] = ['nav', 'footer', 'menu', 'button']
/** Inside the content these are a heading or a note. */
export const DOUBTFUL_TAGS: readonly string[] = ['header', 'aside']
