// Shows the page of the address: loads its file at the first visit, hands it its parameters and scope,
// moves the focus to its title, and shows what went wrong when it cannot.
/** @jsxImportSource preact */
import { EmptyState } from '@chartside/ui'
import { useSignal } from '@preact/signals'
import { Component, type ComponentChildren, type ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { NoAnswer, type Problem } from '../api/problem.ts'
import { LateSkeleton } from '../parts/loaded.tsx'
import { ProblemPage } from '../parts/problem-page.tsx'
import type { FoundPage } from '../route/addresses.ts'
import { place } from '../route/location.ts'
import type { PageEntry, PageProps } from '../route/page-entry.ts'
import type { Scope } from '../session/scopes.ts'
import { announce } from './announcements.ts'

const loaded = new Map<PageEntry, ComponentType<PageProps>>()

export function Outlet({ found, scope }: { readonly found: FoundPage; readonly scope: Scope }) {
  const { entry, params } = found
  const state = useSignal<{ entry?: PageEntry; problem?: Problem }>({})
  const turn = useSignal(0)
  useEffect(() => {
    if (loaded.has(entry)) {
      state.value = { entry }
      return
    }
    let isCurrent = true
    entry.load().then(
      ({ default: page }) => {
        loaded.set(entry, page)
        if (isCurrent) state.value = { entry }
      },
      () => {
        // A file of a newer version, or no network: loading the document again gets the new one.
        if (isCurrent) state.value = { entry, problem: new NoAnswer() }
      },
    )
    return () => {
      isCurrent = false
    }
  }, [entry, turn.value])
  const Page = loaded.get(entry)
  if (!Page && state.value.problem) {
    return (
      <ProblemPage
        problem={state.value.problem}
        what={entry.title}
        onRetry={() => {
          turn.value += 1
        }}
      />
    )
  }
  if (!Page) return <LateSkeleton what={entry.title} />
  const visit = `${scope.id} ${place.value.path} ${place.value.visit}`
  return (
    <Guarded key={visit}>
      <Arrival title={entry.title} />
      <Page params={params} scope={scope} />
    </Guarded>
  )
}

let isFirst = true

/** The first page of a document keeps the focus where the browser puts it. */
function Arrival({ title }: { readonly title: string }) {
  useEffect(() => {
    scrollTo(0, 0)
    if (!isFirst) {
      document.querySelector<HTMLElement>('[data-page-title]')?.focus({ preventScroll: true })
      announce(title)
    }
    isFirst = false
  }, [])
  return null
}

/** A mistake of one page leaves the shell standing. */
class Guarded extends Component<{ readonly children: ComponentChildren }, { isBroken: boolean }> {
  override state = { isBroken: false }

  static override getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return (
      <EmptyState
        icon="alert"
        title="This page has a fault"
        actions={
          <a class="button" href={location.pathname} onClick={() => location.reload()}>
            Load it again
          </a>
        }
      >
        <p class="quiet">Nothing that you saved is lost. Report it with the address of the page.</p>
      </EmptyState>
    )
  }
}
