// The head of the settings with the links between their pages. The pages are addresses of their own, so
// that a link leads to one.
/** @jsxImportSource preact */
import { PageHead } from '../../parts/page-head.tsx'
import { personalAddress } from '../../route/addresses.ts'

const PAGES = [
  { path: 'settings', label: 'Profile' },
  { path: 'settings/sign-in', label: 'How you sign in' },
  { path: 'settings/sessions', label: 'Where you are signed in' },
  { path: 'settings/developer-keys', label: 'Developer keys' },
] as const

export type SettingsPath = (typeof PAGES)[number]['path']

export function SettingsHead({ current }: { readonly current: SettingsPath }) {
  return (
    <>
      <PageHead title="Settings" />
      <nav class="page-tabs" aria-label="Settings">
        {PAGES.map(({ path, label }) => (
          <a
            key={path}
            href={personalAddress(path)}
            aria-current={path === current ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
    </>
  )
}
