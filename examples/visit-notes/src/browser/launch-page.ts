// The script of the Launch URL's page. It only goes to authorize, or to the identity provider in option
// 3, so it carries nothing of the app: a provider waits for it on every launch. When it cannot begin,
// the app's own script says why. Spec §2.1, §2.2.
import { begin } from './launch.ts'

begin().catch(() => {
  const script = document.createElement('script')
  script.src = '/app.js'
  document.body.append(script)
})
