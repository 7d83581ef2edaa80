// The page for people who open the app's address in a browser tab: it says where the app opens.
// Owns markup only.
import { appName, buildPage, escapeHtml } from './pages.ts'

export const startPage: string = buildPage(`<body><main class="middle">
<h1>${escapeHtml(appName)}</h1>
<p>This app opens from the panel beside the chart, where Chartside launches it for the provider who is signed in.</p>
</main></body>`)
