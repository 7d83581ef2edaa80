// What an address shows that no page has, or that names an account which the person does not see. Both
// look alike: an address does not tell which accounts exist.
/** @jsxImportSource preact */
import { StatePage } from '@chartside/ui'
import { useEffect } from 'preact/hooks'
import { addressOf } from '../route/location.ts'

export function UnknownPage({ home = addressOf('') }: { readonly home?: string }) {
  useEffect(() => {
    document.title = 'Not found · Chartside'
  }, [])
  return (
    <div class="problem-page">
      <StatePage
        icon="search"
        tone="quiet"
        title="Not found"
        actions={
          <a class="button primary" href={home}>
            Go to the overview
          </a>
        }
      >
        <p class="quiet">
          There is no page at this address, or it belongs to an account that you are not a member
          of.
        </p>
      </StatePage>
    </div>
  )
}
