// Starts the console in its document: hands the table of pages to the router, then renders the frame.
// Holds no page itself.
/** @jsxImportSource preact */
import { render } from 'preact'
import { listenForShortcuts } from './keys/shortcuts.ts'
import { PAGES } from './pages.ts'
import { registerPages } from './route/known-pages.ts'
import { followLinks } from './route/location.ts'
import { Shell } from './shell/shell.tsx'

registerPages(PAGES)
followLinks()
listenForShortcuts()
const root = document.getElementById('root')
if (root) {
  root.replaceChildren()
  render(<Shell />, root)
}
