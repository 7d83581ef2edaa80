// Buttons, fields and layers on the page of all parts.
// Invented data; nothing here talks to a server.
/** @jsxImportSource preact */
import { useSignal } from '@preact/signals'
import {
  Button,
  ConfirmDialog,
  CopyButton,
  IconButton,
  Menu,
  Popover,
  SecretField,
  SelectField,
  TextField,
} from '../../src/index.ts'

const copy = async () => {}

export function Actions() {
  return (
    <section class="part" aria-labelledby="actions">
      <h2 id="actions">Buttons, fields, layers</h2>
      <div class="examples">
        <Buttons />
        <Fields />
        <Layers />
        <div class="stack">
          <SecretField
            label="Client secret “Production 2026-11”"
            secret="cs_example_0000000000000000000000000000f8Q2"
            copy={copy}
            onKept={() => {}}
          />
        </div>
      </div>
    </section>
  )
}

function Buttons() {
  return (
    <div class="card pad stack">
      <div class="row">
        <Button tone="primary">Publish version 8</Button>
        <Button>Compare</Button>
        <Button tone="danger" icon="power">
          Switch off
        </Button>
      </div>
      <div class="row">
        <Button isBusy>Saving</Button>
        <Button isDisabled>Publish</Button>
        <Button tone="bare" icon="again">
          Try again
        </Button>
      </div>
      <div class="row">
        <Button isCompact>Stay</Button>
        <CopyButton text="cf58c034575e6470" label="Copy trace" copy={copy} />
        <IconButton icon="search" label="Search" onPress={() => {}} />
        <IconButton icon="more" label="More" tone="bare" isCompact onPress={() => {}} />
      </div>
      <Button tone="primary" isWide>
        Sign in
      </Button>
    </div>
  )
}

function Fields() {
  const name = useSignal('Visit Notes')
  const url = useSignal('http://notes.example/launch')
  const option = useSignal('app')
  return (
    <form class="card pad stack" aria-label="Fields">
      <TextField
        label="Name"
        name="name"
        hint="What providers see in the side panel."
        value={name.value}
        onInput={(value) => {
          name.value = value
        }}
      />
      <TextField
        label="Launch URL"
        name="launch-url"
        type="url"
        value={url.value}
        error="This address begins with http. Use https; only loopback may do without."
        onInput={(value) => {
          url.value = value
        }}
      />
      <SelectField
        label="Who exchanges the code"
        name="exchange"
        value={option.value}
        options={[
          { value: 'app', label: 'The app’s own server' },
          { value: 'token_endpoint', label: 'A registered token endpoint' },
          { value: 'identity_provider', label: 'An identity provider' },
        ]}
        onChange={(value) => {
          option.value = value
        }}
      />
      <TextField label="Notes" name="notes" value="" rows={3} onInput={() => {}} />
    </form>
  )
}

function Layers() {
  const isOpen = useSignal(false)
  const done = useSignal('')
  const close = () => {
    isOpen.value = false
  }
  return (
    <div class="card pad stack">
      <div class="row">
        <Menu
          label="More actions"
          side="start"
          onChoose={(id) => {
            done.value = id
          }}
          items={[
            { id: 'again', label: 'Launch again', icon: 'again' },
            {
              id: 'report',
              label: 'Report a problem',
              icon: 'flag',
              detail: 'Copies what support needs',
            },
            {
              id: 'leave',
              label: 'Sign out',
              icon: 'leave',
              isFirstOfGroup: true,
              isDangerous: true,
            },
          ]}
        />
        <Popover label="What is a collection?" title="What is a collection?">
          <div class="stack">
            <strong>Collection</strong>
            <p>The versioned answer to what runs where: which app opens beside which EHR.</p>
          </div>
        </Popover>
        <Button
          tone="danger"
          onPress={() => {
            isOpen.value = true
          }}
        >
          Switch off Visit Notes…
        </Button>
      </div>
      <p id="done" class="quiet small">
        {done.value === '' ? 'Nothing chosen yet.' : `Chosen: ${done.value}`}
      </p>
      <ConfirmDialog
        isOpen={isOpen.value}
        title="Switch off Visit Notes?"
        button="Switch off Visit Notes"
        cancel="Keep it on"
        typedName="Visit Notes"
        isDangerous
        onClose={close}
        onConfirm={() => {
          done.value = 'switched off'
          close()
        }}
      >
        <p>
          9 open launches end at once, in 3 practices. Providers keep their charts and other apps.
        </p>
      </ConfirmDialog>
    </div>
  )
}
