// Adds the served SDK script to the page, pinned by its integrity hash. Called only after the code
// has left the address. Owns the script tag, not the SDK. Spec §5.5; security H02, H06.
import type { InitServiceSDK } from '@chartside/sdk'
import { ViewError } from './error-view.ts'

interface Chartside {
  readonly initServiceSDK: InitServiceSDK
}

declare global {
  interface Window {
    Chartside?: Chartside
  }
}

export async function loadSdk(): Promise<Chartside> {
  const { sdkUrl = '', sdkIntegrity = '' } = document.body.dataset
  const script = document.createElement('script')
  script.src = sdkUrl
  script.integrity = sdkIntegrity
  script.crossOrigin = 'anonymous'
  await new Promise<void>((resolve) => {
    script.onload = script.onerror = () => resolve()
    document.head.append(script)
  })
  if (window.Chartside) return window.Chartside
  throw new ViewError({
    error: 'sdk_not_loaded',
    cause: `The SDK script did not load from ${sdkUrl}.`,
    fix: 'Check that the service runs and that script-src of this app allows its origin.',
  })
}
