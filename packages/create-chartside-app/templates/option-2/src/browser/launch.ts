// The page's part of a launch, option 2: redirect to authorize; on the callback check the response,
// let the SDK fetch the tokens from the registered endpoint, and start the app's own session with the
// ID token. Never handles the access token. Spec §2.2, §5.2, §5.6; security V20.
export {
  beginForTokenEndpoint as begin,
  openByTokenEndpoint as open,
} from '@chartside/app-kit/page'
