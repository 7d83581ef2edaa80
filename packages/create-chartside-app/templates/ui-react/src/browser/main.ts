// Where the page's script begins. StrictMode runs every effect twice; opened-launch.ts makes that
// harmless.
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openOnce } from './opened-launch.ts'

const isLaunch = location.pathname === '/launch'
// The code is exchanged while React draws; the app shows what comes of it.
if (!isLaunch) openOnce().catch(() => undefined)

const root = document.getElementById('app')
if (root) {
  root.className = ''
  const app = createElement(App, { isLaunch })
  createRoot(root).render(createElement(StrictMode, null, app))
}
