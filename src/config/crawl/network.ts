// Settings of a crawl: which addresses it may connect to, through which proxies, and as whom.

import { allowEntry, authEntry, cookieLine, proxyEntry } from '../address-kinds.ts'
import { crawlSetting, maskEach, setting } from '../setting.ts'
import { listOf, oneOf, onOff } from '../setting-kinds.ts'
import { maskAuthEntry } from '../values/auth-entry.ts'
import { maskCookieLine } from '../values/cookie-line.ts'
import { maskProxyEntry } from '../values/proxy-entry.ts'

export const NETWORK_SETTINGS = {
  allowPrivate: crawlSetting(setting(onOff(), false, 'Allow loopback, private and other non-public addresses.'), {
    label: 'Allow private addresses',
    needsAdmin: true,
  }),
  allow: crawlSetting(
    setting(listOf(allowEntry()), [], 'Allow one non-public address, range (10.0.0.0/8) or host; repeatable.'),
    { label: 'Allowed addresses', needsAdmin: true },
  ),
  insecure: crawlSetting(
    setting(onOff(), false, 'Accept certificates that are expired, for another host or from an unknown issuer.'),
    { label: 'Allow invalid certificates', needsAdmin: true },
  ),
  proxy: crawlSetting(
    setting(
      listOf(proxyEntry()),
      [],
      'Proxy for all hosts, or for some: "http://user:password@proxy:3128", "*.example.com=socks5h://proxy:1080", "example.com=direct"; "env" reads HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY. Several proxies take turns. Repeatable.',
    ),
    { label: 'Proxies', storedAs: 'proxies', needsAdmin: true, isChangeable: true, mask: maskEach(maskProxyEntry) },
  ),
  auth: crawlSetting(
    setting(
      listOf(authEntry()),
      [],
      'Credentials for a host: "example.com=user:password", "example.com=digest user:password" or "example.com=bearer TOKEN". Repeatable.',
    ),
    { label: 'Credentials', needsAdmin: true, isChangeable: true, mask: maskEach(maskAuthEntry) },
  ),
  cookies: crawlSetting(
    setting(
      oneOf(['off', 'on']),
      'off',
      'Keep the cookies that sites set, and send them back to these sites. They last as long as the crawl.',
    ),
    { choiceLabels: { off: 'Off', on: 'On' }, isChangeable: true },
  ),
  cookie: crawlSetting(
    setting(
      listOf(cookieLine()),
      [],
      'Cookie to start with, as a site would set it: "name=value; Domain=example.com; Path=/; Secure". Repeatable.',
    ),
    {
      label: 'First cookies',
      storedAs: 'startCookies',
      needsAdmin: true,
      isChangeable: true,
      mask: maskEach(maskCookieLine),
    },
  ),
} as const
