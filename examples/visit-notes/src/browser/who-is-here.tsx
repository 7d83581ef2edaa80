// The same facts from two sources, side by side. Only the left column may decide anything on a
// server. Spec §2.5 (context is not proof), §5.4 (the verified token is).
import type { SessionContext } from '@chartside/sdk'
import type { Me } from './visit.ts'

interface WhoIsHereProps {
  readonly me: Me
  readonly context: SessionContext | null
}

export function WhoIsHere({ me, context }: WhoIsHereProps) {
  const rows = [
    ['User', me.userId, context?.userId],
    ['Practice', me.account.name, context?.account.name],
    ['EHR', me.ehrType, context?.ehrType],
  ] as const
  return (
    <section className="identity">
      <h2>Who is here</h2>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">Verified token</th>
            <th scope="col">Session context</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, verified, told]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{verified}</td>
              <td>{told ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">
        This server checked the signature of the left column. The right one is what the page was
        told.
      </p>
    </section>
  )
}
