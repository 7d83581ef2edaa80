// Where the page's script begins: the Launch URL goes on to authorize, the callback shows the app.
// StrictMode doubles every effect; both ways survive that. Spec §2.1, §4.1.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const root = document.getElementById('app')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App isLaunch={location.pathname === '/launch'} />
    </StrictMode>,
  )
}
