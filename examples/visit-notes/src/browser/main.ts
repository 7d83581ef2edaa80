// Where the page's script begins: the Launch URL begins a launch, the callback shows the app. StrictMode
// runs every effect twice; visit.ts makes that harmless. Spec §2.1, §4.1.
import { renderApp } from '@chartside/app-kit/react'
import { App } from './app.tsx'
import { openVisit } from './visit.ts'

renderApp(App, openVisit)
