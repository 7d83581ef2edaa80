// The page's part of a launch, option 3: redirect to the provider's sign-in; on the return pass the
// platform token that the app's server read to the SDK, and begin the app's own session once the SDK
// is ready. `getIdToken()` rejects with ID_TOKEN_UNAVAILABLE. Spec §5.3, §5.6; security L03, V20.
export { beginAtProvider as begin, openByProvider as open } from '@chartside/app-kit/page'
