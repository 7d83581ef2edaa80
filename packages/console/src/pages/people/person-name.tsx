// A person in a list: the name, which leads to their page, whether it is the person who reads, and the address below. Both lists of
// people show it.
/** @jsxImportSource preact */

export interface PersonNameProps {
  /** The address of the page of the person. */
  readonly address: string
  readonly name: string
  readonly email: string
  readonly isMe: boolean
}

export function PersonName({ address, name, email, isMe }: PersonNameProps) {
  return (
    <span>
      <a href={address}>{name}</a>
      {isMe && <span class="quiet"> (you)</span>}
      <small class="below">{email}</small>
    </span>
  )
}
