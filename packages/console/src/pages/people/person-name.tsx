// A person in a list: the name, whether it is the person who reads, and the address below. Both lists of
// people show it.
/** @jsxImportSource preact */

export interface PersonNameProps {
  readonly name: string
  readonly email: string
  readonly isMe: boolean
}

export function PersonName({ name, email, isMe }: PersonNameProps) {
  return (
    <span>
      {name}
      {isMe && <span class="quiet"> (you)</span>}
      <small class="below">{email}</small>
    </span>
  )
}
