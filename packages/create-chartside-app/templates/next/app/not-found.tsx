// The page of every other address. The default one of Next.js has inline styles, which the policy
// refuses.
import manifest from '../chartside.app.json'

export default function NotFound() {
  return (
    <main className="middle">
      <h1>{manifest.name}</h1>
      <p>There is nothing at this address. Open the app from the panel beside the chart.</p>
    </main>
  )
}
