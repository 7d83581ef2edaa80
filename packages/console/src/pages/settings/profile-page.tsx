// The settings of the signed-in person: name, address and where they belong. Ways to sign in and open
// sign-ins have pages of their own.
/** @jsxImportSource preact */
import type { User } from '@chartside/protocol/payloads'
import { TextField } from '@chartside/ui'
import { useRef } from 'preact/hooks'
import { type Answered, api } from '../../api/client.ts'
import { loadMe } from '../../api/people.ts'
import { FormFrame } from '../../forms/form-frame.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useRecord } from '../../load/use-record.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { MembershipTable } from '../../parts/membership-table.tsx'
import { Section } from '../../parts/page-head.tsx'
import { scopedAddress } from '../../route/addresses.ts'
import { reloadSession } from '../../session/session.ts'
import { notify } from '../../shell/announcements.ts'
import { SettingsHead } from './settings-head.tsx'

export default function ProfilePage() {
  const load = useRecord((signal) => loadMe({ signal }), 'me')
  return (
    <>
      <SettingsHead current="settings" />
      <Loaded load={load} what="your settings">
        {(me) => (
          <>
            <NameForm me={me} />
            <Memberships user={me.data} />
          </>
        )}
      </Loaded>
    </>
  )
}

function NameForm({ me }: { readonly me: Answered<User> }) {
  // What was read last: a save compares with it, and a conflict replaces it.
  const known = useRef(me)
  const form = useForm({
    initial: { name: me.data.name },
    check: ({ name }) => (name.trim() === '' ? { name: 'Enter your name.' } : {}),
    async save({ name }) {
      const { etag } = known.current
      known.current = await api.patch<User>('/api/users/me', { name }, { ifMatch: etag })
      notify('good', 'Your name is saved.')
      await reloadSession()
    },
  })
  return (
    <Section title="Profile">
      <div class="card padded">
        <FormFrame form={form} submit="Save">
          <TextField
            label="Name"
            name="name"
            autocomplete="name"
            value={form.values.name}
            error={form.error('name')}
            onInput={(value) => form.set('name', value)}
          />
          <dl class="facts">
            <div>
              <dt>E-mail address</dt>
              <dd>{me.data.email}</dd>
            </div>
          </dl>
        </FormFrame>
      </div>
    </Section>
  )
}

function Memberships({ user }: { readonly user: User }) {
  if (user.memberships.length === 0) return null
  return (
    <Section title="Your accounts">
      <div class="card list-card">
        <MembershipTable
          caption="Your accounts"
          memberships={user.memberships}
          addressOf={(account) => scopedAddress(account, '')}
        />
      </div>
    </Section>
  )
}
