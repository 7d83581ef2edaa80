// Where the page's script begins. StrictMode runs every effect twice; opened-launch.ts makes that
// harmless.
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'

const root = document.getElementById('app')
if (root) {
  root.className = ''
  const app = createElement(App, { isLaunch: location.pathname === '/launch' })
  createRoot(root).render(createElement(StrictMode, null, app))
}
