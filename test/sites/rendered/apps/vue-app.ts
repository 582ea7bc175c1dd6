// Vue with routes in the hash.

import { createApp, h, onMounted, ref, watchEffect } from 'vue'

const ROUTES: Record<string, { title: string; links: string[] }> = {
  '/': { title: 'Start', links: ['#/first', '#/list/1', '#section'] },
  '/first': { title: 'First', links: ['#/', '#!/second', 'plain'] },
  '/list/1': { title: 'List one', links: ['#/list/2', '#/first'] },
  '/list/2': { title: 'List two', links: ['#/'] },
  '/second': { title: 'Second', links: ['./#/list/1'] },
}

createApp({
  setup() {
    const path = ref(location.hash.replace(/^#!?/, '') || '/')
    onMounted(() => {
      addEventListener('hashchange', () => {
        path.value = location.hash.replace(/^#!?/, '')
      })
    })
    watchEffect(() => {
      document.title = ROUTES[path.value]?.title ?? 'Nowhere'
    })
    return () => {
      const { title, links } = ROUTES[path.value] ?? { title: 'Nowhere', links: [] }
      return h('main', [h('h1', title), ...links.map((href) => h('a', { href }, href))])
    }
  },
}).mount('#app')
