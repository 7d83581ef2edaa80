// Starts the console in its document: hands the table of pages to the router, then renders the frame. At
// another name of the same server it leads to the one that the installation is configured for.
/** @jsxImportSource preact */
import { render } from 'preact'
import { ORIGIN } from './installation.ts'
import { listenForShortcuts } from './keys/shortcuts.ts'
import { PAGES } from './pages.ts'
import { registerPages } from './route/known-pages.ts'
import { followLinks } from './route/location.ts'
import { keepFocus } from './shell/keep-focus.ts'
import { Shell } from './shell/shell.tsx'

const root = document.getElementById('root')
if (ORIGIN !== '' && location.origin !== ORIGIN) {
  location.replace(ORIGIN + location.pathname + location.search)
} else if (root) {
  registerPages(PAGES)
  followLinks()
  keepFocus()
  listenForShortcuts()
  root.replaceChildren()
  render(<Shell />, root)
}
