// Remembers, while the provider signs in, that this tab began a launch. One key per launch, because
// the frames of one tab share this storage. Stores no token. Security L03, X09.

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

const keyOf = (launchId: string): string => `{{slug}}:launch:${launchId}`

export const rememberLaunch = (storage: Storage, launchId: string): void =>
  storage.setItem(keyOf(launchId), 'begun')

/** Whether this tab began the launch. True once for each launch. */
export function takeLaunch(storage: Storage, launchId: string): boolean {
  const isOwn = storage.getItem(keyOf(launchId)) !== null
  storage.removeItem(keyOf(launchId))
  return isOwn
}
