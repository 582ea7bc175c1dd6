// Custom elements: links in open and closed shadow roots, one inside the other.

class SiteNav extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' })
    root.innerHTML =
      '<a href="/open">Open</a><inner-nav></inner-nav><slot></slot><template><a href="/never">Never</a></template>'
  }
}

class InnerNav extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'closed' })
    const link = document.createElement('a')
    link.href = '/closed'
    link.textContent = 'Closed'
    root.append(link)
  }
}

customElements.define('inner-nav', InnerNav)
customElements.define('site-nav', SiteNav)
