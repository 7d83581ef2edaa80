// The page of the Launch URL, which only redirects to authorize, or to the identity provider in option
// 3.
export { default } from '../launched-app.tsx'
