// The head of an app's page: its name, and the user by the verified launch. Owns markup only; the server
// decides who the user is.

export interface UserHeaderProps {
  readonly name: string
  readonly practice: string
}

/**
 * Shows the app's name, and the user by the verified launch. Never throws.
 * @example <UserHeader name={me.name} practice={me.practice} />
 */
export const UserHeader = ({ name, practice }: UserHeaderProps) => (
  <header>
    <h1>{document.title}</h1>
    <strong id="provider">{name}</strong>
    <span id="practice" className="quiet">
      {practice}
    </span>
  </header>
)
