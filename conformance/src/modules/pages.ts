// Modules on the pages that authorize shows to a person: what they may load, who may frame them, and
// that they show no value of the request as markup. RFC 6749 10.14, RFC 9700 4.2.4 and 4.16.
import { authorize } from '../flow.ts'
import type { ConformanceModule } from '../module.ts'
import type { ModuleContext } from '../module-context.ts'

const WHERE = 'The error page of authorize and its headers.'

/** The page for a redirect URI that is not registered. */
async function openErrorPage(t: ModuleContext, value: string) {
  const redirectUri = `https://unregistered.conformance.example/${value}`
  const { landing } = await authorize(t, { redirect_uri: redirectUri, state: value })
  const type = landing.answer.headers.get('content-type') ?? 'none'
  const isPage = landing.kind === 'page' && type.startsWith('text/html')
  t.check(isPage, 'authorize shows a page to a browser', type)
  return landing.answer
}

export const PAGE_MODULES: readonly ConformanceModule[] = [
  {
    id: 'rfc6749-page-escapes-values',
    title: 'an error page shows no value of the request as markup',
    source: 'RFC 6749, 10.14',
    where: WHERE,
    run: async (t) => {
      for (const value of ['"><script>alert(1)</script>', "'><img src=x onerror=alert(1)>"]) {
        const { text } = await openErrorPage(t, value)
        const isMarkup = /<script>alert|<img src=x/i.test(text)
        t.check(!isMarkup, 'the page escapes the value', 'the value stands in it as markup')
      }
    },
  },
  {
    id: 'rfc9700-page-headers',
    title: 'an error page cannot be framed by any page and leaks no referrer',
    source: 'RFC 9700, 4.2.4 and 4.16',
    where: WHERE,
    run: async (t) => {
      const { headers } = await openErrorPage(t, 'callback')
      const policy = headers.get('content-security-policy') ?? ''
      const isBound = /frame-ancestors (?!\*)/.test(policy) || headers.has('x-frame-options')
      t.advise(isBound, 'frame-ancestors names who may frame the page', policy || 'no policy')
      const referrer = headers.get('referrer-policy') ?? 'none'
      t.advise(
        /^(no-referrer|origin|same-origin|strict-origin)$/.test(referrer),
        'no address leaves in a Referer',
        referrer,
      )
      const sniff = headers.get('x-content-type-options')
      t.advise(sniff === 'nosniff', 'X-Content-Type-Options is nosniff', sniff ?? 'none')
    },
  },
]
