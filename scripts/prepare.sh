#!/bin/sh
# Runs after npm install: makes the Node that it installed usable, bundles the program and builds the web app.
cd "$(dirname "$0")/.." || exit 1

# npm 10 may not link it. The packages for other machines, which it leaves out, have a link of the same name, and it
# removes those links last.
for node in node_modules/node-*/bin/node; do
  if [ -x "$node" ] && [ ! -e node_modules/.bin/node ]; then ln -sf "../${node#node_modules/}" node_modules/.bin/node; fi
done

# In npm scripts node_modules/.bin comes first on the PATH.
version=$(node --version)
major=${version#v}
if [ "${major%%.*}" -lt 24 ]; then
  echo "Node 24 or later is required, but this is $version, and npm did not install the Node of this package." >&2
  echo 'On Linux and Intel Macs, run npm install again, without --omit=optional. Elsewhere, install Node 24 first.' >&2
  exit 1
fi
node scripts/bundle.ts || echo 'The program was not bundled: it runs, but starts more slowly.'
node web/build.ts || echo 'The web app was not built: the server runs without it.'
