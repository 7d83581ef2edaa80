// The script of the Launch URL's page. It only goes to authorize, or to the identity provider in option
// 3, so it carries nothing of the app: a provider waits for it on every launch. When it cannot begin,
// the app's own script says why. Spec §2.1, §2.2.
import { begin } from './launch.ts'

const { appScript } = JSON.parse(document.body.dataset.settings ?? '{}') as { appScript: string }

begin().then(preloadApp, showWhy)

/** The browser fetches what the next page needs while authorize answers. */
function preloadApp(): void {
  const link = document.createElement('link')
  link.rel = 'preload'
  link.as = 'script'
  link.href = appScript
  document.head.append(link)
}

function showWhy(): void {
  const script = document.createElement('script')
  script.src = appScript
  document.body.append(script)
}
