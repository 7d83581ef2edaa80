// What a frame remembers of its launch while the provider signs in: that it began it. Under the name of
// the launch, because the frames of one tab share this storage. Keeps no token. Security L03, X09.

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem'>

const keyOf = (launchId: string): string => `referral-desk:launch:${launchId}`

export const rememberLaunch = (storage: Storage, launchId: string): void =>
  storage.setItem(keyOf(launchId), 'begun')

/** Whether this tab began the launch that somebody came back with. Works once. */
export function takeLaunch(storage: Storage, launchId: string): boolean {
  const isOwn = storage.getItem(keyOf(launchId)) !== null
  storage.removeItem(keyOf(launchId))
  return isOwn
}
