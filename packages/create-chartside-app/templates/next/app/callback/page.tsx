// The page to which the browser returns from authorize or from the identity provider: the app itself.
import { LaunchedApp } from '../launched-app.tsx'

export default function CallbackPage() {
  return <LaunchedApp isLaunch={false} />
}
