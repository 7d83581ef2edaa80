// Where the page's script begins: the Launch URL begins a launch, the callback shows the app.
// StrictMode runs every effect twice; visit.ts makes that harmless. Spec §2.1, §4.1.
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openVisit } from './visit.ts'

const isLaunch = location.pathname === '/launch'
// The code is exchanged while React draws; the app shows what comes of it.
if (!isLaunch) openVisit().catch(() => undefined)

const root = document.getElementById('app')
if (root) {
  root.className = ''
  const app = createElement(App, { isLaunch })
  createRoot(root).render(createElement(StrictMode, null, app))
}
