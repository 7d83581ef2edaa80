// The first page of a scope: what there is to look at and to set up. It reads nothing that another
// page does not show.
/** @jsxImportSource preact */
import { Icon } from '@chartside/ui'
import { PageHead } from '../../parts/page-head.tsx'
import type { PageProps } from '../../route/page-entry.ts'
import { describeScope } from '../../shell/account-switcher.tsx'
import { listItems } from '../../shell/navigation.tsx'

export default function OverviewPage({ scope }: PageProps) {
  const items = listItems(scope).filter(({ entry }) => entry.path !== '')
  return (
    <>
      <PageHead title={scope.name} about={describeScope(scope)} />
      <ul class="tiles">
        {items.map(({ entry, label, icon, address }) => (
          <li key={entry.path} class="card">
            <a class="tile" href={address}>
              <Icon name={icon} />
              <strong>{label}</strong>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
