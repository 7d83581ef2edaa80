// The frame of every page: navigation, top bar, strips, live region, notes, and the page itself. Waits
// for who is signed in, and finds page and scope of the address.
/** @jsxImportSource preact */
import { IconButton, LiveRegion, Menu, TimeZone, ToastList } from '@chartside/ui'
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { leaveForSignIn } from '../api/client.ts'
import { signOut } from '../api/people.ts'
import { isSwitchedOn } from '../keys/shortcuts.ts'
import { LateSkeleton } from '../parts/loaded.tsx'
import { ProblemPage } from '../parts/problem-page.tsx'
import {
  findPersonalPage,
  findScopedPage,
  personalAddress,
  scopedAddress,
} from '../route/addresses.ts'
import { addressOf, navigate, place } from '../route/location.ts'
import { splitScope } from '../route/match.ts'
import type { Scope } from '../session/scopes.ts'
import {
  loadScope,
  reloadSession,
  rememberScope,
  scopeOf,
  session,
  sessionProblem,
} from '../session/session.ts'
import { watchSignIn } from '../session/sign-in-end.ts'
import { timeZone } from '../session/time-zone.ts'
import { announcement, dismiss, notify, toasts } from './announcements.ts'
import { HelpDialog, isHelpOpen } from './help-dialog.tsx'
import { EnvironmentChip, Navigation } from './navigation.tsx'
import { Outlet } from './outlet.tsx'
import { PaletteButton } from './palette-button.tsx'
import { findForbiddenPage, RolePage } from './role-page.tsx'
import { SignInStrip } from './sign-in-strip.tsx'
import { ConnectionStrip } from './strips.tsx'
import { UnknownPage } from './unknown-page.tsx'

const isNavOpen = signal(false)

export function Shell() {
  const current = session.value
  useEffect(() => {
    void reloadSession().then(() => {
      if (session.value) watchSignIn()
    })
  }, [])
  if (!current) {
    const { value: problem } = sessionProblem
    return (
      <main class="alone">
        {problem ? (
          <ProblemPage problem={problem} what="the console" onRetry={() => void reloadSession()} />
        ) : (
          <LateSkeleton what="the console" />
        )}
      </main>
    )
  }
  const { path } = place.value
  const { scope: named, rest } = splitScope(path)
  const personal = named === undefined ? findPersonalPage(rest) : undefined
  const scope = scopeOf(current, named)
  if (!scope) return <UnknownScope id={named ?? ''} key={named} />
  if (named === undefined && !personal) {
    // An address without a scope means the last one, and then says so.
    const isAlone = scope.id === ''
    const address = isAlone ? personalAddress('settings') : scopedAddress(scope, rest)
    navigate(address + location.search, { isReplaced: true })
    return null
  }
  const found = personal ?? findScopedPage(scope, rest)
  const forbidden = found ? undefined : findForbiddenPage(scope, rest)
  if (named !== undefined) rememberScope(scope)
  return (
    <div class="console">
      <a class="skip" href="#content">
        Skip to the page
      </a>
      <aside class="side">
        <Navigation scope={scope} current={found?.entry} />
      </aside>
      <div class="stage">
        <TopBar name={current.user.name} email={current.user.email} scope={scope} />
        <ConnectionStrip />
        <SignInStrip />
        <main id="content" class="content" tabIndex={-1}>
          <TimeZone.Provider value={timeZone.value}>
            {found && <Outlet found={found} scope={scope} />}
            {forbidden && <RolePage forbidden={forbidden} scope={scope} key={scope.id} />}
            {!found && !forbidden && <UnknownPage />}
          </TimeZone.Provider>
        </main>
      </div>
      <NarrowNavigation>
        <Navigation scope={scope} current={found?.entry} />
      </NarrowNavigation>
      <LiveRegion {...announcement.value} />
      <ToastList toasts={toasts.value} onDismiss={dismiss} />
      <HelpDialog />
    </div>
  )
}

/** Asks for an account that is not in the first page of accounts; then it is known or not. */
function UnknownScope({ id }: { readonly id: string }) {
  const isAsked = useRef(signal(false)).current
  useEffect(() => {
    void loadScope(id).then(() => {
      isAsked.value = true
    })
  }, [id])
  return (
    <main class="alone">
      {isAsked.value ? <UnknownPage home={addressOf('')} /> : <LateSkeleton what="the account" />}
    </main>
  )
}

interface TopBarProps {
  readonly name: string
  readonly email: string
  readonly scope: Scope
}

function TopBar({ name, email, scope }: TopBarProps) {
  return (
    <header class="top">
      <span class="top-menu">
        <IconButton
          icon="list"
          label="Navigation"
          tone="bare"
          isCompact
          onPress={() => {
            isNavOpen.value = true
          }}
        />
      </span>
      <span class="top-environment">
        <EnvironmentChip />
      </span>
      <span class="top-find">
        <PaletteButton scope={scope} />
      </span>
      <Menu
        label="Your menu"
        icon="person"
        text={<span class="initials">{initialsOf(name)}</span>}
        items={[
          { id: 'settings', label: name, detail: email, icon: 'person' },
          {
            id: 'keys',
            label: 'Keys',
            detail: isSwitchedOn.value ? 'Press ?' : undefined,
            icon: 'info',
          },
          { id: 'sign-out', label: 'Sign out', icon: 'leave', isFirstOfGroup: true },
        ]}
        onChoose={(id) => {
          if (id === 'settings') navigate(personalAddress('settings'))
          else if (id === 'keys') isHelpOpen.value = true
          else void leave()
        }}
      />
    </header>
  )
}

async function leave(): Promise<void> {
  try {
    await signOut(false)
    leaveForSignIn()
  } catch {
    notify('bad', 'Signing out failed. Try again, or close the browser.')
  }
}

const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .filter((word) => /^\p{L}/u.test(word) && !word.endsWith('.'))
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
    .toLocaleUpperCase()

/** Shows the navigation below 900 px; it closes when a page is opened. */
function NarrowNavigation({ children }: { readonly children: preact.ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null)
  const { visit } = place.value
  useEffect(() => {
    isNavOpen.value = false
  }, [visit])
  useEffect(() => {
    const dialog = element.current
    // A press beside the drawer closes it, as Escape does.
    dialog?.setAttribute('closedby', 'any')
    if (isNavOpen.value && !dialog?.open) dialog?.showModal()
    if (!isNavOpen.value && dialog?.open) dialog.close()
  }, [isNavOpen.value])
  return (
    <dialog
      ref={element}
      class="drawer"
      aria-label="Navigation"
      onClose={() => {
        isNavOpen.value = false
      }}
    >
      {isNavOpen.value && <div class="side">{children}</div>}
    </dialog>
  )
}
