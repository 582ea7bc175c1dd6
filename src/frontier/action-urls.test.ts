import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isActionUrl } from './action-urls.ts'

const ACTIONS = {
  forums: [
    '/posting.php?mode=quote&f=2&p=17',
    '/ucp.php?mode=login',
    '/viewtopic.php?t=3&mode=reply',
    '/newreply.php?do=newreply&p=17',
    '/index.php?action=post;quote=17;topic=3.0',
    '/index.php?action=reporttm;topic=3.0;msg=17',
    '/posts/17/report',
    '/login/',
    '/Register',
  ],
  wikis: [
    '/index.php?title=Lamp&action=edit',
    '/index.php?title=Lamp&action=history',
    '/index.php?title=Torch&action=edit&redlink=1',
    '/wiki/Special:WhatLinksHere/Lamp',
    '/index.php?title=Spezial:RecentChangesLinked/Lamp',
    '/doku.php?id=lamp&do=revisions',
    '/pages/editpage.action?pageId=17',
    '/login.action?os_destination=%2Fdisplay%2Flamp',
  ],
  shops: [
    '/cart/',
    '/checkout/cart/add/uenc/aHR0cA/product/17/',
    '/wishlist/index/add/product/17/',
    '/lamps/?add-to-cart=17',
    '/account/signin?returnUrl=/lamps/17',
    '/customer/account/login/referer/aHR0cDovLw/',
  ],
  'other sites': [
    '/user/login?destination=node/17',
    '/comment/reply/17',
    '/node/17/edit',
    '/wp-login.php?redirect_to=https%3A%2F%2Fa.test%2Flamp',
    '/go?continue=https://a.test/lamp',
  ],
}

const PAGES = [
  '/',
  '/history',
  '/about/report.html',
  '/docs/login/introduction.html',
  '/docs/cart/rules',
  '/viewtopic.php?t=3',
  '/index.php?title=Lamp',
  '/index.php?title=Lamp&action=view',
  '/index.php?action=profile;u=3',
  '/lamps?mode=list&page=2',
  '/lamps?page=2&next=3',
  '/search?q=edit',
  '/?p=17',
  '/specials',
  '/wiki/Special:AllPages',
  '/post/login-problems',
  '/api/login.html/notes',
]

describe('an action URL', () => {
  for (const [site, paths] of Object.entries(ACTIONS)) {
    it(`is recognised on ${site}`, () => {
      for (const path of paths) assert.ok(isActionUrl(`https://a.test${path}`), path)
    })
  }

  it('is not confused with a page', () => {
    for (const path of PAGES) assert.ok(!isActionUrl(`https://a.test${path}`), path)
    assert.ok(!isActionUrl('https://login.test'))
  })
})
