// Recognises action URLs: they log in, reply, edit or add to a cart instead of showing content. Every page of a
// forum, a wiki or a shop has some. They are visited like all others, but last, so that the content comes first where
// time or pages are limited.

import { pathStart } from '../lib/path-pattern.ts'

/** Last parts of paths, without an extension. Only unmistakable ones: the page of a project's history may be "history". */
const NAMES = new Set([
  ...['login', 'log-in', 'signin', 'sign-in', 'sign_in', 'logout', 'log-out', 'signout', 'sign-out', 'sign_out'],
  ...['register', 'signup', 'sign-up', 'sign_up', 'userlogin', 'createaccount', 'wp-login', 'ucp'],
  ...['lostpassword', 'lost-password', 'forgot-password', 'forgot_password', 'reset-password', 'password_reset'],
  ...['posting', 'newreply', 'newthread', 'newtopic', 'sendmessage', 'sendthread', 'printthread', 'editpage'],
  ...['cart', 'basket', 'checkout', 'wishlist', 'addtocart', 'add-to-cart', 'add_to_cart'],
])
const PATH =
  /\/(?:cart|basket|wishlist|product_compare)\/(?:[^/]+\/)?add(?:\/|$)|\/comment\/reply\/|\/node\/\d+\/edit$|\/posts?\/\d+\/(?:edit|quote|react|reactions|reply|report|share)$|\/account\/login\//i
/** Lists of links and changes that MediaWiki has for every page, and its forms. Other special pages lead to content. */
const SPECIAL_PAGE =
  /[/=][^/=:%]+(?::|%3A)(?:WhatLinksHere|RecentChanges|RecentChangesLinked|Contributions|UserLogin|CreateAccount|Upload|EmailUser|Log|MovePage|CiteThisPage)\b/i

/** Parameters whose value says what the URL does, and such values. */
const VERB_PARAMETERS = new Set(['action', 'act', 'do', 'mode', 'op', 'task', 'cmd', 'veaction'])
const VERBS = new Set([
  ...['login', 'log_in', 'logout', 'log_out', 'signin', 'sign_in', 'signup', 'sign_up', 'register', 'reg', 'lostpw'],
  ...['edit', 'editpost', 'delete', 'protect', 'purge', 'submit', 'watch', 'unwatch', 'attachfile'],
  ...['history', 'revisions', 'diff', 'info', 'raw', 'source', 'backlink'],
  ...['post', 'reply', 'newreply', 'newthread', 'newtopic', 'quote', 'report', 'reporttm', 'report_post'],
  ...['email', 'emailuser', 'mailmember', 'sendtopic', 'pm', 'sendpm', 'buddy', 'ignore'],
  ...['addtocart', 'add_to_cart', 'add_cart', 'buy_now', 'wishlist', 'compare'],
])
const PARAMETERS = new Set([
  ...['add-to-cart', 'add_to_cart', 'add-to-wishlist', 'add_to_wishlist', 'add_to_compare', 'redlink'],
])
/** Parameters with the address to return to after a log-in, so that every page has such a link of its own. */
const RETURN_PARAMETERS = new Set([
  ...['next', 'back', 'backurl', 'back_url', 'goto', 'continue', 'came_from', 'referer', 'referrer'],
  ...['return', 'returnto', 'return_to', 'returnurl', 'return_url', 'destination', 'os_destination'],
  ...['redirect', 'redirect_to', 'redirect_uri', 'redirecturl', 'redirect_url'],
])
const ADDRESS = /^(?:\/|%2F|https?(?::|%3A))/i

export function isActionUrl(url: string): boolean {
  const queryAt = url.indexOf('?')
  const path = url.slice(pathStart(url), queryAt < 0 ? url.length : queryAt)
  if (NAMES.has(lastName(path)) || PATH.test(path) || SPECIAL_PAGE.test(url)) return true
  return (
    queryAt >= 0 &&
    url
      .slice(queryAt + 1)
      .split(/[&;]/)
      .some(isAction)
  )
}

/** The last part of a path, without an extension and in lower case. */
function lastName(path: string): string {
  const end = path.endsWith('/') ? path.length - 1 : path.length
  const name = path.slice(path.lastIndexOf('/', end - 1) + 1, end)
  const dot = name.indexOf('.')
  return (dot < 0 ? name : name.slice(0, dot)).toLowerCase()
}

function isAction(parameter: string): boolean {
  const equals = parameter.indexOf('=')
  if (equals < 0) return false
  const name = parameter.slice(0, equals).toLowerCase()
  const value = parameter.slice(equals + 1)
  if (VERB_PARAMETERS.has(name)) return VERBS.has(value.toLowerCase())
  return PARAMETERS.has(name) || (RETURN_PARAMETERS.has(name) && ADDRESS.test(value))
}
