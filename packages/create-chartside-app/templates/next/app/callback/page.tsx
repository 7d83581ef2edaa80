// The page to which the browser returns from authorize or from the identity provider: the app itself.
// Its server reads nothing of the address.
import { LaunchedApp } from '../launched-app.tsx'

export default function CallbackPage() {
  return <LaunchedApp isLaunch={false} />
}
