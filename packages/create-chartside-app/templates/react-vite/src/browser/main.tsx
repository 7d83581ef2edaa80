// Where the page's script begins: the kit draws the app (app.tsx) into the page, in StrictMode. Contains
// nothing of the app itself.
import { renderApp } from '@chartside/app-kit/react'
import { App } from './app.tsx'
import { open } from './open.ts'

renderApp(App, open)
