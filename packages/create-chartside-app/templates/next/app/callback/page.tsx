// The page to which the browser returns from authorize or from the identity provider: the app itself.
// Its server reads nothing of the address.
export { default } from '../launched-app.tsx'
