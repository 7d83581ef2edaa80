// The parts of the side panel on the page of all parts: strips of apps, state pages, match code.
// Invented data; nothing here talks to a server.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import { Button, MatchCode, StatePage, SupportFold, type Tab, TabStrip } from '../../src/index.ts'

const NAMES = [
  'Visit Notes',
  'Care Gaps',
  'Referral Desk',
  'Growth Chart',
  'Recall Finder',
  'Rx Compare',
  'Intake',
  'Consent Forms',
]
const TABS: readonly Tab[] = NAMES.map((name, index) => ({ id: `app_${index + 1}`, name }))
const MARKED = TABS.slice(0, 4).map((tab, index): Tab => {
  if (index === 2) return { ...tab, badge: { icon: 'cross', tone: 'bad', words: 'could not open' } }
  if (index === 1) return { ...tab, badge: { icon: 'half', tone: 'warn', words: 'opening' } }
  return tab
})

export function PanelParts() {
  return (
    <section class="part" aria-labelledby="panel-parts">
      <h2 id="panel-parts">Side panel</h2>
      <div class="examples">
        <Strip id="few" tabs={MARKED} />
        <Strip id="many" tabs={TABS} />
        <div class="in-panel">
          <StatePage
            icon="alert"
            tone="bad"
            title="Visit Notes could not open"
            actions={<Button tone="primary">Try again</Button>}
            support={
              <SupportFold
                copy={async () => {}}
                facts={[
                  { name: 'App', value: 'Visit Notes' },
                  { name: 'Step', value: 'exchange' },
                  { name: 'Code', value: 'invalid_client' },
                  { name: 'Trace', value: 'cf58c034575e6470' },
                ]}
              />
            }
          >
            <p>This is not your doing, and nothing in the chart has changed.</p>
          </StatePage>
        </div>
        <div class="in-panel">
          <StatePage icon="tab" tone="accent" title="Continue in the tab that has opened">
            <p>Check that it shows this code:</p>
            <MatchCode code="ZQYP-J9HB" label="Match code" />
            <p class="quiet">9:41 left</p>
          </StatePage>
        </div>
      </div>
    </section>
  )
}

function Strip({ id, tabs }: { readonly id: string; readonly tabs: readonly Tab[] }) {
  const open = useSignal(tabs[0]?.id ?? '')
  return (
    <div id={`strip-${id}`} class="in-panel">
      <div class="strip">
        <TabStrip
          label="Apps"
          moreLabel="More apps"
          tabs={tabs}
          open={open.value}
          controls={`shown-${id}`}
          onOpen={(chosen) => {
            open.value = chosen
          }}
        />
      </div>
      <div id={`shown-${id}`} class="pad" role="tabpanel" aria-label="Open app">
        {tabs.find((tab) => tab.id === open.value)?.name}
      </div>
    </div>
  )
}
