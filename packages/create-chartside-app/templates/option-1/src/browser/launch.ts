// The page's part of a launch, option 1: redirect to authorize; on the callback check the response,
// let the app's server exchange the code, pass its tokens to the SDK, and begin the app's own session
// once the SDK is ready. Keeps tokens in memory only. Spec §2.2, §5.1, §5.6; security H02, H05, V20.
export { beginForExchange as begin, openByExchange as open } from '@chartside/app-kit/page'
