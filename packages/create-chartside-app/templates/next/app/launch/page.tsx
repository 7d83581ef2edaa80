// The page of the Launch URL, which only redirects to authorize, or to the identity provider in option
// 3.
import { LaunchedApp } from '../launched-app.tsx'

export default function LaunchPage() {
  return <LaunchedApp isLaunch={true} />
}
