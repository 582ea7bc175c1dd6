function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '))
}

/** Tags that end a word of visible text; with any other tag `o<b>n</b>e` stays one word. */
export const BLOCK_TAGS = names(
  'address article aside audio blockquote body br button canvas caption center col colgroup dd details dialog dir div ' +
    'dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 header hgroup hr html iframe legend ' +
    'li listing main menu nav object ol optgroup option p plaintext pre search section select summary table tbody td ' +
    'textarea tfoot th thead tr ul video xmp',
)

/** Start tags that leave SVG and MathML. https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign */
export const BREAKOUTS = names(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
)

/** Elements whose end tag inside SVG or MathML may belong to an HTML element around it. */
export const HTML_CONTAINERS = names(
  'a abbr address article aside b bdi bdo big blockquote button caption center cite code data dd del details dfn ' +
    'dialog dir div dl dt em fieldset figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hgroup i ins kbd ' +
    'label legend li listing main map mark menu nav nobr noscript object ol optgroup option output picture pre q ruby ' +
    's samp search section select small span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ' +
    'ul var',
)

/** HTML elements that never stay open, or whose nesting in tables is too intricate to track inside SVG. */
export const NEVER_OPEN = names(
  'area base basefont bgsound body br caption col colgroup embed frame frameset head hr html iframe image img input ' +
    'keygen link math meta noembed noframes param plaintext script source style svg tbody td template textarea tfoot ' +
    'th thead title tr track wbr xmp',
)

/** Start tags that close an open paragraph. */
export const PARAGRAPH_CLOSERS = names(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 ' +
    'h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table ul',
)

/** Tags after which `<frameset>` can no longer replace the body. */
export const FRAMESET_BLOCKERS = names(
  'applet area body br button dd dt embed hr iframe image img input keygen li listing marquee object pre select table ' +
    'textarea wbr xmp',
)

/** Tags that may come before the body without starting it. */
export const HEAD_TAGS = names(
  'base basefont bgsound frameset head html link meta noframes noscript script style template title',
)
