export const SITEMAP_CORPUS = [
  '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/?a=1&amp;b=2</loc><lastmod>2024-05-17T10:00:00+02:00</lastmod><changefreq>daily</changefreq><priority>0.8</priority></url><url><loc><![CDATA[https://example.com/b]]></loc></url></urlset>',
  '<sitemapindex><sitemap><loc>https://example.com/1.xml.gz</loc><lastmod>2024-05</lastmod></sitemap></sitemapindex>',
  '<rss version="2.0"><channel><item><link>https://example.com/1</link><pubDate>Fri, 17 May 2024 10:00:00 GMT</pubDate><guid isPermaLink="true">https://example.com/g</guid></item></channel></rss>',
  '<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="alternate" href="/a"/><updated>2024-05-17T10:00:00Z</updated></entry></feed>',
  '\uFEFFhttps://example.com/a\r\nhttps://example.com/b\n\nnot a url\nhttp://é.example/ü\n',
  '<!DOCTYPE urlset [<!ENTITY a "x"><!-- ]> -->]><sm:urlset><sm:url><image:image><loc>/no</loc></image:image><sm:loc>/&#x61;&a;</sm:loc></sm:url></sm:urlset>',
]

export const SITEMAP_TOKENS = [
  ...['<urlset>', '</urlset>', '<url>', '</url>', '<url/>', '<loc>', '</loc>', '<x:loc>', '<lastmod>', '</lastmod>'],
  ...[
    '<priority>',
    '</priority>',
    '<changefreq>',
    '<sitemapindex>',
    '<sitemap>',
    '<image>',
    '</image>',
    '<rss>',
    '<item>',
  ],
  ...[
    '<feed>',
    '<entry>',
    '<link>',
    '<link href="',
    '<guid isPermaLink="',
    '<![CDATA[',
    ']]>',
    ']]',
    '<!--',
    '-->',
    '--',
  ],
  ...['<?', '?>', '<?xml ', 'encoding="', 'utf-16', '<!DOCTYPE x [', ']>', '<!', '<', '>', '/>', '"', "'", '=', '/a'],
  ...['&amp;', '&', '#x26;', '&#0;', '&#x110000;', '&#xd800;', 'http://a/', '\n', '\r', ' ', '\0', 'é', '😀', '\uFEFF'],
  ...['2024', '-13-45', 'T25:00', 'Z', '+99:99', '1e5', 'NaN', 'daily', '0.5', '-1', '\x1f\x8b'],
]
