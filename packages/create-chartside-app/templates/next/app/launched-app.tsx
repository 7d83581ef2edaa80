// The app in the browser. It is not rendered on the server: a launch needs the address, the history and
// the storage of its tab, and the server must not see its tokens in a page.
'use client'
import dynamic from 'next/dynamic'
import manifest from '../chartside.app.json'

const App = dynamic(() => import('../src/browser/app.tsx').then(({ App }) => App), {
  ssr: false,
  loading: () => (
    <div className="middle" aria-live="polite">
      <p className="quiet">Opening {manifest.name}…</p>
    </div>
  ),
})

export default function LaunchedApp() {
  return (
    <main id="app">
      <App />
    </main>
  )
}
