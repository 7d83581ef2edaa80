// The identity from two sources, side by side. Only the verified token may decide anything on a
// server. Spec §2.5 (context is not proof), §5.4 (the verified token is).
import type { SessionContext } from '@chartside/sdk'
import type { Me } from './visit.ts'

interface IdentityTableProps {
  readonly me: Me
  readonly context: SessionContext | null
}

export function IdentityTable({ me, context }: IdentityTableProps) {
  const rows = [
    ['User', me.userId, context?.userId],
    ['Practice', me.account.name, context?.account.name],
    ['EHR', me.ehrType, context?.ehrType],
  ] as const
  return (
    <section className="identity">
      <h2>Identity</h2>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col">Verified token</th>
            <th scope="col">Session context</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, verified, context]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{verified}</td>
              <td>{context ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="quiet">
        The server verified the signature of the left column. The right column is what the panel
        sent to the page.
      </p>
    </section>
  )
}
