// The document around every page. Its settings are in a data attribute, so no inline script of the app
// is needed. Rendered for each request, because its scripts carry the nonce of the policy.
import '../public/app.css'
import { buildPageSettings } from '@chartside/app-kit/server'
import type { Metadata, Viewport } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import manifest from '../chartside.app.json'
import { loadSettings } from '../src/environment.ts'

/** The title comes from chartside.app.json, the only file with the name. */
export const metadata: Metadata = { title: manifest.name, icons: 'data:,' }

export const viewport: Viewport = { colorScheme: 'light dark' }

export default async function Layout({ children }: { readonly children: ReactNode }) {
  await connection()
  return (
    <html lang="en">
      <body data-settings={JSON.stringify(buildPageSettings(loadSettings()))}>{children}</body>
    </html>
  )
}
