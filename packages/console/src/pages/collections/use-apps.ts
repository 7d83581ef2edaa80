// The apps of a draft by their identifiers: those that came with the page, and those that the draft has got since,
// from this person or another one. An app that the person does not see keeps its identifier as its name.
import type { App } from '@chartside/protocol/payloads'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { listAppsById } from '../../api/apps.ts'

export function useApps(known: readonly App[], ids: readonly string[]): readonly App[] {
  const added = useSignal<readonly App[]>([])
  const apps = [...known, ...added.value]
  const missing = ids.filter((appId) => !apps.some(({ id }) => id === appId)).join(',')
  useEffect(() => {
    if (missing === '') return
    const controller = new AbortController()
    listAppsById(missing.split(','), { signal: controller.signal }).then(
      (found) => {
        added.value = [...added.peek(), ...found]
      },
      () => {},
    )
    return () => controller.abort()
  }, [missing])
  return apps
}

export const nameIn =
  (apps: readonly App[]) =>
  (appId: string): string =>
    apps.find(({ id }) => id === appId)?.name ?? appId
